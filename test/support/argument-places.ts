import type { Json, JsonObject, JsonSchema, TouchedPath } from "@pergola/sdk";
import { sampleOf, type OperationCase } from "./tool-scene.ts";

/** A string among an operation's arguments that its schema gives a format. */
export interface ArgumentPlace extends OperationCase {
  /** Like `files[]` or `replacements[].filePath` */
  readonly path: string;
  /** Good arguments with this value at the place. */
  with(value: string): JsonObject;
}

type Set = (whole: Json | undefined, value: string) => Json;

function placesIn(schema: JsonSchema, formats: readonly string[]): readonly (readonly [string, Set])[] {
  if (formats.includes(schema.format ?? "")) return [["", (_, value) => value]];
  const { items, properties = {} } = schema;
  const below = items === undefined ? [] : placesIn(items, formats);
  const listed = below.flatMap(([path, set]): (readonly [string, Set])[] => {
    const first = (whole: Json | undefined): readonly Json[] =>
      Array.isArray(whole) && whole.length > 0 ? (whole as readonly Json[]) : [sampleOf(items ?? {})];
    return [
      [`[]${path}`, (whole, value) => [set(first(whole)[0], value)]],
      [`[last]${path}`, (whole, value) => [...first(whole), set(first(whole)[0], value)]],
    ];
  });
  const named = Object.entries(properties).flatMap(([key, property]) =>
    placesIn(property, formats).map(([path, set]): readonly [string, Set] => [
      `.${key}${path}`,
      (whole, value) => {
        const all = (whole ?? sampleOf(schema)) as JsonObject;
        return { ...all, [key]: set(all[key], value) };
      },
    ]),
  );
  return [...listed, ...named];
}

/**
 * Every place of an operation's arguments that has one of the formats: in lists as the only item and as the
 * last, and inside items.
 */
export const argumentPlaces = (one: OperationCase, formats: readonly string[]): readonly ArgumentPlace[] =>
  Object.entries(one.operation.parameters).flatMap(([key, schema]) =>
    placesIn(schema, formats).map(([path, set]) => ({
      ...one,
      path: `${key}${path}`,
      with: (value: string) => ({ ...one.args, [key]: set(one.args[key], value) }),
    })),
  );

const withDefaults = ({ operation: { parameters }, args }: OperationCase): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(parameters).flatMap(([key, schema]) =>
      schema.default === undefined ? [] : [[key, schema.default as Json]],
    ),
  ),
  ...args,
});

/** The paths that an operation names at once; only for large arguments does one answer with a promise. */
function touchedBy(one: OperationCase): readonly TouchedPath[] {
  const touched = one.operation.touches?.(withDefaults(one) as never) ?? [];
  if (touched instanceof Promise) throw new Error(`${one.operation.name} works out its paths in a thread`);
  return touched;
}

/** Paths that an operation reads out of a text, such as a patch: the text with another path in its stead. */
export const textPlaces = (one: OperationCase): readonly ArgumentPlace[] =>
  touchedBy(one).flatMap(({ path }) =>
    Object.entries(one.args)
      .flatMap(([key, text]) =>
        typeof text === "string" && text !== path && text.includes(path) ? [[key, text] as const] : [],
      )
      .map(([key, text]) => ({
        ...one,
        path: `${key}, in the text`,
        with: (value: string) => ({ ...one.args, [key]: text.replaceAll(path, value) }),
      })),
  );
