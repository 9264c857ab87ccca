import { fieldFault, fieldsOf, readToolName } from "@pergola/kit-provider";
import { isObject, type JsonObject, type OfferedTool } from "@pergola/sdk";

/** A schema, or its JSON text. */
function readParameters(parameters: unknown, at: string): OfferedTool["parameters"] {
  try {
    const schema: unknown = typeof parameters === "string" ? JSON.parse(parameters) : parameters;
    if (isObject(schema)) return schema;
  } catch (cause) {
    throw fieldFault(at, "is not JSON", "invalid_value", cause);
  }
  throw fieldFault(at, "must be a JSON schema");
}

/** A tool of the caller. Throws `invalid_value` naming the field. */
export function readTool(tool: JsonObject, place: string): OfferedTool {
  const at = `${place}.function`;
  const { name: toolName, description: text, parameters } = fieldsOf(tool["function"]);
  const name = readToolName(toolName, at);
  const description = text ?? "";
  if (typeof description !== "string") throw fieldFault(`${at}.description`, "must be a string");
  return {
    name,
    description,
    parameters: readParameters(parameters ?? {}, `${at}.parameters`),
    callers: true,
  };
}
