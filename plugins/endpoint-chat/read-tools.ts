import { fieldFault, readToolName, type Warn } from "@pergola/kit-provider";
import { isObject, stringOf, type JsonObject, type OfferedTool } from "@pergola/sdk";

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

function readFunction(definition: JsonObject, at: string): OfferedTool {
  const { description: text, parameters } = definition;
  const name = readToolName(definition["name"], at);
  const description = text ?? "";
  if (typeof description !== "string") throw fieldFault(`${at}.description`, "must be a string");
  return {
    name,
    description,
    parameters: readParameters(parameters ?? {}, `${at}.parameters`),
    callers: true,
  };
}

/** A tool of the caller; one that is no function is left out with a warning: models here cannot call it. */
export function readTool(tool: JsonObject, at: string, warn: Warn): OfferedTool | undefined {
  const { type = "function", function: definition } = tool;
  if (type === "function") return readFunction(isObject(definition) ? definition : {}, `${at}.function`);
  warn(`${at} was left out: only tools of type function can be called here, not ${stringOf(type)}`);
  return undefined;
}
