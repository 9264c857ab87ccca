import type { JsonObject, OfferedTool } from "@pergola/sdk";
import { memoizePerTool, omitFields, type Warn } from "@pergola/kit-provider";
import type { ToolNames } from "./tool-names.ts";

/** Keywords that the vendor refuses at the top of a schema. */
const refused = ["oneOf", "anyOf", "allOf"];

function inputSchema({ name, parameters }: OfferedTool, warn: Warn): JsonObject {
  if (refused.some((keyword) => keyword in parameters))
    warn(`of the parameters of ${name}, what stands in oneOf, anyOf and allOf was left out`);
  return { ...omitFields(parameters as JsonObject, refused), type: "object" };
}

const describe = memoizePerTool((tool, warn: Warn) => ({
  description: tool.description,
  input_schema: inputSchema(tool, warn),
}));

/** The tools as the vendor reads them. */
export const buildTools = (
  tools: readonly OfferedTool[],
  names: ToolNames,
  warn: Warn,
): readonly JsonObject[] =>
  tools.map((tool) => ({ name: names.wireName(tool.name), ...describe(tool, warn) }));
