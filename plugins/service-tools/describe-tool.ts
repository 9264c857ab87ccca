import type { Effect, JsonSchema, OfferedTool, Operation, Tool } from "@pergola/sdk";

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

/** Parameters of several operations as one: where they share a name, what either takes is taken. */
function unite(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  const values = [...new Set(schemas.flatMap((schema) => schema.enum ?? []))];
  if (schemas.every((schema) => schema.enum !== undefined) && values.length > 0)
    return { ...first, enum: values };
  return schemas.at(-1) ?? first;
}

/** The function that a model is offered for a family. Parameters marked `hidden` are taken, and not shown. */
export function schemaOf(tool: Tool): JsonSchema {
  const operations = advertised(tool);
  const keys = new Set(operations.flatMap(({ parameters }) => Object.keys(parameters)));
  const properties = [...keys].flatMap((key) => {
    const all = operations.map(({ parameters }) => parameters[key]).filter((schema) => schema !== undefined);
    const { aliases: _, ...schema } = unite(all);
    if (schema.hidden === true) return [];
    return [[key, schema] as const];
  });
  const names = operations.map(({ name }) => name);
  const required = operations.length === 1 ? (operations[0]?.required ?? []) : ["operation"];
  return {
    type: "object",
    properties: { operation: { type: "string", enum: names }, ...Object.fromEntries(properties) },
    required,
  };
}

/** A family as it is offered to models, in full. */
export function offerOf(tool: Tool): OfferedTool {
  const operations = advertised(tool).map((operation) => {
    const { name, description, parameters, required, examples = [] } = operation;
    return { name, description, effects: effectsOf(operation), parameters, required, examples };
  });
  const lines = operations.map(
    ({ name, description, required }) => `${name}(${required.join(", ")}): ${description}`,
  );
  const description = operations.length === 1 ? tool.description : `${tool.description}\n${lines.join("\n")}`;
  return {
    name: tool.name,
    description,
    parameters: schemaOf(tool),
    operations,
  };
}
