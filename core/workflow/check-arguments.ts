import { ToolError, type Json, type JsonObject, type JsonSchema, type Operation } from "@pergola/sdk";
import { canonicalKeys } from "../schema/canonical.ts";
import { compile } from "../schema/validate.ts";
import { exampleCall } from "./toolbox.ts";

export interface Checked {
  readonly arguments: JsonObject;
  readonly unknown: readonly string[];
}

const schemas = new WeakMap<Operation, JsonSchema>();

function schemaOf(operation: Operation): JsonSchema {
  const known = schemas.get(operation);
  if (known !== undefined) return known;
  const schema = { type: "object", properties: operation.parameters, required: operation.required } as const;
  schemas.set(operation, schema);
  return schema;
}

/** A JSON object, or a string that holds one. Throws `invalid_json`. */
export function parseArguments(given: unknown): JsonObject {
  let value: unknown = given ?? {};
  try {
    if (typeof value === "string") value = value.trim() === "" ? {} : (JSON.parse(value) as unknown);
  } catch (cause) {
    throw new ToolError("invalid_json", "The arguments are not JSON.", { hint: "Send one complete JSON object.", cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new ToolError("invalid_json", "The arguments are not a JSON object.", {
    hint: "Send one JSON object with the operation and its parameters.",
  });
}

/** Canonical names, lenient types, defaults filled in. Throws `missing_required` or `invalid_value`, showing one right call. */
export function checkArguments(operation: Operation, given: JsonObject): Checked {
  const { operation: _, ...rest } = given;
  const schema = schemaOf(operation);
  const { value, unknown } = canonicalKeys(rest, schema);
  const args = Object.fromEntries(
    Object.entries(value as JsonObject).filter(([key, item]) => operation.parameters[key] !== undefined && item !== null),
  ) as Record<string, Json>;
  const faults = compile(schema, { coerce: true })(args);
  const hint = `A right call: ${exampleCall(operation)}`;
  const missing = faults.find(({ keyword }) => keyword === "required");
  if (missing !== undefined)
    throw new ToolError("missing_required", `${operation.name} needs ${missing.path}.`, { hint: `Add "${missing.path}". ${hint}` });
  const [fault] = faults;
  if (fault !== undefined) throw new ToolError("invalid_value", `${fault.path}: ${fault.message}.`, { hint });
  return { arguments: args, unknown };
}

/** The same for the same call, whatever the order of keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
}
