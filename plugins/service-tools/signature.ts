import type { JsonSchema, Operation, Properties } from "@pergola/sdk";

/** Levels of fields within fields, and characters of a signature that names them. */
const [deepest, longest] = [3, 600];

type Signed = Pick<Operation, "name" | "parameters" | "required">;

/** The parameters that are shown: aliases and what is marked `hidden` are taken all the same. */
export const visibleParameters = (parameters: Properties): Properties =>
  Object.fromEntries(Object.entries(parameters).filter(([, { hidden }]) => hidden !== true));

/** The fields within a value: `{name, rate?}`, `[{name}]` for a list of such; empty where it has none. */
function fieldsIn(schema: JsonSchema, depth: number): string {
  const { items, properties, required = [], anyOf = [], oneOf = [] } = schema;
  if (depth === 0) return "";
  if (properties !== undefined) return `{${listed(properties, required, depth - 1)}}`;
  if (items !== undefined) {
    const inner = fieldsIn(items, depth);
    return inner && `[${inner}]`;
  }
  const branches = [...anyOf, ...oneOf].map((branch) => fieldsIn(branch, depth));
  return [...new Set(branches)].filter(Boolean).join(" | ");
}

function listed(properties: Properties, required: readonly string[], depth: number): string {
  const visible = visibleParameters(properties);
  const field = (name: string, mark: string): string => {
    const inner = fieldsIn(visible[name] ?? {}, depth);
    return inner === "" ? `${name}${mark}` : `${name}${mark}: ${inner}`;
  };
  const needed = Object.keys(visible).filter((name) => required.includes(name));
  const optional = Object.keys(visible).filter((name) => !required.includes(name));
  return [...needed.map((name) => field(name, "")), ...optional.map((name) => field(name, "?"))].join(", ");
}

const signed = ({ name, parameters, required }: Signed, depth: number): string =>
  `${name}(${listed(parameters, required, depth)})`;

/** An operation with all of its parameters by name, `?` behind optional ones: `commit(message, files?)`. */
export const signatureOf = (operation: Signed): string => signed(operation, 0);

/** The same with the names of nested fields, as deep as they stay readable. */
export function deepSignatureOf(operation: Signed): string {
  for (let depth = deepest; depth > 0; depth--) {
    const text = signed(operation, depth);
    if (text.length <= longest) return text;
  }
  return signatureOf(operation);
}
