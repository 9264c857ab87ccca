import type { JsonSchema, Properties } from "@pergola/sdk";
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
  /** Refuse keys that the schema does not describe. */
  readonly strict?: boolean;
}

/** The schema, taking no keys but those that it describes. A record that describes none takes any. */
function closed(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined || schema.additionalProperties !== undefined) return schema;
  const inner = Object.entries(schema.properties).map(([name, property]) => [name, closed(property)]);
  const properties = Object.fromEntries(inner) as Properties;
  return { ...schema, properties, unevaluatedProperties: false };
}

function sentence(part: string, { path, keyword, message }: Fault): string {
  if (keyword === "unevaluatedProperties") return `${part}: ${path} ${message}.`;
  return `${path || part} ${message}.`;
}

/**
 * A check of one part of a request: gives it in canonical form with its defaults, or throws AppError with all
 * faults in the details.
 */
export function checkerOf(part: Part): (value: unknown) => unknown {
  const { name, coerce = false, strict = false } = part;
  if (part.schema === undefined) return (value) => value;
  const schema = strict ? closed(part.schema) : part.schema;
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
