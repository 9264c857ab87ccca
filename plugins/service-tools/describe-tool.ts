import type { Effect, JsonSchema, OfferedTool, Operation, Tool } from "@pergola/sdk";
import { signatureOf, visibleParameters } from "./signature.ts";
import { uniteSchemas } from "./unite-schemas.ts";

/** The operations that are shown and counted. */
export const advertised = (tool: Tool): readonly Operation[] =>
  tool.operations.filter(({ hidden }) => hidden !== true);

/** Whether a call of that effect changes nothing. */
export const isHarmless = (effect: Effect): boolean => effect === "none" || effect === "read";

/** Every effect that a call of the operation may have, the weakest first. */
export function effectsOf({ effect, effects = ["execute"] }: Operation): readonly Effect[] {
  if (typeof effect === "function") return effects;
  return [effect];
}

/** One right call of an operation, for hints. */
export function exampleCall({ name, parameters, required, examples }: Operation): string {
  const samples = () => Object.fromEntries(required.map((key) => [key, sampleOf(key, parameters[key])]));
  return JSON.stringify({
    operation: name,
    ...(examples?.[0]?.arguments ?? samples()),
  });
}

function sampleOf(key: string, { default: usual, enum: values, type }: JsonSchema = {}): unknown {
  if (usual !== undefined && usual !== null) return usual;
  if (values?.[0] !== undefined && values[0] !== null) return values[0];
  if (type === "array") return [];
  if (type === "integer") return 1;
  return `<${key}>`;
}

/** The same with the type that its values have, where it does not say. */
function typed(schema: JsonSchema): JsonSchema {
  const { type, enum: values = [] } = schema;
  const isText = values.length > 0 && values.every((value) => typeof value === "string");
  if (type !== undefined || !isText) return schema;
  return { type: "string", ...schema };
}

/** The function that a model is offered for a family. Parameters marked `hidden` are taken, and not shown. */
export function schemaOf(tool: Tool): JsonSchema {
  const operations = advertised(tool);
  const keys = new Set(operations.flatMap(({ parameters }) => Object.keys(parameters)));
  const properties = [...keys].map((key) => {
    const all = operations.map(({ parameters }) => parameters[key]).filter((schema) => schema !== undefined);
    return [key, typed(uniteSchemas(all))] as const;
  });
  const names = operations.map(({ name }) => name);
  const required = operations.length === 1 ? (operations[0]?.required ?? []) : ["operation"];
  return {
    type: "object",
    properties: {
      operation: { type: "string", enum: names },
      ...visibleParameters(Object.fromEntries(properties)),
    },
    required,
  };
}

/** Whether one of its parameters has fields of its own. */
const isNested = ({ parameters }: Operation): boolean =>
  Object.values(parameters).some(
    ({ properties, items }) => properties !== undefined || items?.properties !== undefined,
  );

/** What an operation does, with a right call where its arguments are hard to guess. */
function lineOf(operation: Operation): string {
  const line = `${signatureOf(operation)}: ${operation.description}`;
  if (!isNested(operation) || operation.examples === undefined) return line;
  return `${line} Example: ${exampleCall(operation)}`;
}

/** A family as it is offered to models, in full. */
export function offerOf(tool: Tool): OfferedTool {
  const shown = advertised(tool);
  const operations = shown.map((operation) => {
    const { name, description, parameters, required, examples = [] } = operation;
    return { name, description, effects: effectsOf(operation), parameters, required, examples };
  });
  return {
    name: tool.name,
    description: [tool.description, ...shown.map(lineOf)].join("\n"),
    parameters: schemaOf(tool),
    operations,
  };
}
