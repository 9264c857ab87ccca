import type { JsonObject, OfferedTool } from "@pergola/sdk";
import type { ToolNames } from "./tool-names.ts";

/** Words that the vendor refuses at the top of a schema. */
const refused = ["oneOf", "anyOf", "allOf"];

function inputSchema({ name, parameters }: OfferedTool, warn: (text: string) => void): JsonObject {
  const fields = Object.entries(parameters as JsonObject);
  const kept = fields.filter(([word]) => !refused.includes(word));
  if (kept.length < fields.length)
    warn(`of the parameters of ${name}, what stands in oneOf, anyOf and allOf was left out`);
  return { ...Object.fromEntries(kept), type: "object" };
}

const written = new WeakMap<OfferedTool, JsonObject>();

/**
 * The tools as the vendor reads them. Each is made once: with all tools on they are most of what a request
 * holds.
 */
export function buildTools(
  tools: readonly OfferedTool[],
  names: ToolNames,
  warn: (text: string) => void,
): readonly JsonObject[] {
  return tools.map((tool) => {
    const sent = written.get(tool) ?? {
      description: tool.description,
      input_schema: inputSchema(tool, warn),
    };
    written.set(tool, sent);
    return { name: names.sent(tool.name), ...sent };
  });
}
