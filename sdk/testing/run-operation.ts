import {
  ToolError,
  type JsonSchema,
  type Operation,
  type OperationResult,
  type ToolContext,
} from "@pergola/sdk";

type Arguments = Readonly<Record<string, unknown>>;

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 || types.some((type) => checks[type]?.(value) ?? false);
}

/**
 * Runs one operation as the host would run it once its arguments are checked: defaults are filled in, unknown
 * arguments left out, and a missing or badly typed argument is a ToolError. The host's own check is stricter:
 * it also knows ranges, patterns and nested fields.
 */
export async function runOperation(
  operation: Operation,
  args: Arguments,
  context: ToolContext,
): Promise<OperationResult> {
  const missing = operation.required.find((name) => args[name] === undefined);
  if (missing !== undefined) throw new ToolError("missing_required", `The argument "${missing}" is missing.`);
  return operation.run(checked(operation, args) as never, context);
}

function checked({ parameters }: Operation, args: Arguments): Arguments {
  const entries = Object.entries(parameters).map(
    ([name, schema]) => [name, args[name] ?? schema.default, schema] as const,
  );
  const wrong = entries.find(([, value, schema]) => value !== undefined && !fits(value, schema));
  if (wrong !== undefined)
    throw new ToolError("invalid_value", `The argument "${wrong[0]}" has a value that is not allowed.`);
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined).map(([name, value]) => [name, value]),
  );
}
