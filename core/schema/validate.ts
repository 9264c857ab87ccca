import { createRequire } from "node:module";
import type * as ajv from "ajv/dist/2020.js";
import type formats from "ajv-formats";
import type { JsonSchema } from "@pergola/sdk";
import { canonicalKeys, type Fault } from "@pergola/sdk/host";
import { faultsOf } from "./faults-of.ts";
import { isAddress, isNetwork } from "./network.ts";
import { canonicalOrigin } from "./origin.ts";

let engine: ajv.Ajv2020 | undefined;

/**
 * Loaded with the first check that is made: a start without settings makes none. Schemas are code of ours and
 * of checked plugins.
 */
function openEngine(): ajv.Ajv2020 {
  const load = createRequire(import.meta.url);
  const { Ajv2020: Engine } = load("ajv/dist/2020.js") as typeof ajv;
  const { default: addFormats } = load("ajv-formats") as { readonly default: typeof formats };
  const options = {
    allErrors: true,
    verbose: true,
    strict: false,
    strictNumbers: true,
    logger: false,
    meta: false,
    validateSchema: false,
  } as const;
  return addFormats(new Engine(options))
    .addFormat("path", true)
    .addFormat("uri", true)
    .addFormat("address", isAddress)
    .addFormat("network", isNetwork)
    .addFormat("origin", (text) => canonicalOrigin(text) !== undefined);
}

/** The code of docs/errors.md for a fault of a value. */
export function codeOf(keyword: string): string {
  if (/^(exclusive)?(max|min)imum$/i.test(keyword)) return "out_of_range";
  return "invalid_value";
}

/**
 * A check against a schema, which lists all faults, or the first 50; made at its first use and kept. With
 * `coerce`, what stands inside the value is first put into canonical form, read as the types that were meant,
 * and given its defaults: in place.
 */
export function compile(schema: JsonSchema, { coerce = false } = {}): (value: unknown) => readonly Fault[] {
  return (value) => {
    if (coerce && typeof value === "object" && value !== null)
      Object.assign(value, canonicalKeys(value, schema, { coerce, defaults: true }).value);
    engine ??= openEngine();
    const check = engine.compile(schema);
    if (check(value)) return [];
    return faultsOf(check.errors ?? []);
  };
}
