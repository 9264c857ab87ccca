import { ToolError, type Json, type JsonObject, type JsonSchema, type Operation } from "@pergola/sdk";
import { canonicalKeys, type Parts } from "@pergola/sdk/host";
import { argumentsSchema } from "./arguments-schema.ts";
import { exampleCall } from "./describe-tool.ts";

export interface Checked {
  readonly arguments: JsonObject;
  readonly unknown: readonly string[];
}

const schemas = new WeakMap<Operation, JsonSchema>();

function schemaOf(operation: Operation): JsonSchema {
  const known = schemas.get(operation);
  if (known !== undefined) return known;
  const schema = argumentsSchema(operation);
  schemas.set(operation, schema);
  return schema;
}

/**
 * Canonical names, lenient types, defaults filled in. Throws `missing_required` or `invalid_value`, showing
 * one right call.
 */
export function checkArguments(
  { compile }: Pick<Parts, "compile">,
  operation: Operation,
  input: JsonObject,
): Checked {
  const { operation: _, ...rest } = input;
  const schema = schemaOf(operation);
  const { value, unknown } = canonicalKeys(rest, schema);
  const args = Object.fromEntries(
    Object.entries(value as JsonObject).filter(
      ([key, item]) =>
        (operation.additional === true || operation.parameters[key] !== undefined) && item !== null,
    ),
  ) as Record<string, Json>;
  const faults = compile(schema, { coerce: true })(args);
  const hint = `A right call: ${exampleCall(operation)}`;
  const missing = faults.find(({ keyword }) => keyword === "required");
  if (missing !== undefined)
    throw new ToolError("missing_required", `${operation.name} needs ${missing.path}.`, {
      hint: `Add "${missing.path}". ${hint}`,
    });
  const [fault] = faults;
  if (fault !== undefined) throw new ToolError("invalid_value", `${fault.path}: ${fault.message}.`, { hint });
  if (operation.additional === true) return { arguments: args, unknown: [] };
  return { arguments: args, unknown };
}
