import type { JsonSchema } from "@pergola/sdk";
import { canonicalKeys, type Fault } from "@pergola/sdk/host";
import { codeOf, compile } from "../schema/validate.ts";
import { fault } from "../fault.ts";

/**
 * A check of one part of a request: gives it in canonical form with its defaults, or throws AppError with all
 * faults in the details.
 */
export function checkerOf(
  part: string,
  schema: JsonSchema | undefined,
  coerce = false,
): (value: unknown) => unknown {
  if (schema === undefined) return (value) => value;
  const check = compile(schema);
  const describe = ({ path: param, keyword, message }: Fault) => ({
    param,
    code: keyword === "required" ? "missing_field" : codeOf(keyword),
    message: `${param || part} ${message}.`,
  });
  return (input) => {
    const { value } = canonicalKeys(input, schema, { defaults: true, coerce });
    const faults = check(value).map(describe);
    const [first] = faults;
    if (first === undefined) return value;
    const { code, message, param } = first;
    throw fault(code, message, { param, details: { faults } });
  };
}
