import type { JsonSchema } from "@pergola/sdk";
import { canonicalKeys, type Fault } from "@pergola/sdk/host";
import { codeOf, compile } from "../schema/validate.ts";
import { fault } from "../fault.ts";

/** One part of what a request says. */
interface Part {
  /** As a sentence begins with it: "The body". */
  readonly name: string;
  readonly schema: JsonSchema | undefined;
  /** Read texts as the types that are meant. */
  readonly coerce?: boolean;
}

function sentence(part: string, { path, keyword, message }: Fault): string {
  if (keyword === "unevaluatedProperties") return `${part}: ${path} ${message}.`;
  return `${path || part} ${message}.`;
}

/**
 * A check of one part of a request: gives it in canonical form with its defaults, or throws AppError with all
 * faults in the details.
 */
export function checkerOf({ name, schema, coerce = false }: Part): (value: unknown) => unknown {
  if (schema === undefined) return (value) => value;
  const check = compile(schema);
  const describe = (found: Fault) => ({
    param: found.path,
    code: found.keyword === "required" ? "missing_field" : codeOf(found.keyword),
    message: sentence(name, found),
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
