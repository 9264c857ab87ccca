import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "@pergola/sdk";
import { canonicalKeys, type Fault } from "@pergola/sdk/host";
import { openEngine } from "./engine.ts";
import { faultsOf } from "./faults-of.ts";
import { readyCheck } from "./ready-check.ts";

let engine: Ajv2020 | undefined;
const checks = new WeakMap<JsonSchema, ValidateFunction>();

/** Schemas are code of ours and of checked plugins. */
function checkOf(schema: JsonSchema): ValidateFunction {
  let check = checks.get(schema);
  if (check !== undefined) return check;
  check = readyCheck(schema) ?? (engine ??= openEngine()).compile(schema);
  checks.set(schema, check);
  return check;
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
    const check = checkOf(schema);
    if (check(value)) return [];
    return faultsOf(check.errors ?? []);
  };
}
