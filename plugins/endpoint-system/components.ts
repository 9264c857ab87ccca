import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@pergola/sdk";
import { plainSchema } from "./plain-schema.ts";

/** The schemas of a document that have a name: each stands in it once, and everywhere else as a reference. */
export class Components {
  readonly #schemas: Record<string, JsonSchema> = {};

  /** By name, in the order of the alphabet. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(Object.entries(this.#schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * The schema as it stands in the document. Two that differ cannot share a title: the second stands where it
   * is used.
   */
  add(schema: JsonSchema): JsonSchema {
    const plain = plainSchema(schema, (inner) => this.add(inner));
    const { title: name } = plain as { readonly title?: string };
    if (name === undefined) return plain;
    const known = (this.#schemas[name] ??= plain);
    if (isDeepStrictEqual(known, plain)) return { $ref: `#/components/schemas/${name}` };
    const { title: _, ...untitled } = plain;
    return untitled;
  }
}
