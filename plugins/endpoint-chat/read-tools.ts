import { fieldFault, freeFormTool, readToolName, type Warn } from "@pergola/kit-provider";
import { isObject, stringOf, type Json, type JsonObject, type OfferedTool } from "@pergola/sdk";

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

/** A tool that takes free text. */
function readCustom(definition: JsonObject, at: string): OfferedTool {
  const { name, description, format } = definition;
  return freeFormTool({ name: readToolName(name, at), description: stringOf(description), format });
}

/** A tool of the caller, a function or a custom one; others are left out with a warning. */
export function readTool(tool: JsonObject, at: string, warn: Warn): OfferedTool | undefined {
  const { type = "function", function: definition, custom } = tool;
  if (type === "function") return readFunction(isObject(definition) ? definition : {}, `${at}.function`);
  if (type === "custom") return readCustom(isObject(custom) ? custom : {}, `${at}.custom`);
  warn(`${at} was left out: tools of type ${stringOf(type)} cannot be called here, only function and custom`);
  return undefined;
}

/** Models see a custom tool as a function, and so is the choice of one. */
export function toolChoiceOf(choice: Json | null | undefined): Json | undefined {
  if (!isObject(choice) || choice["type"] !== "custom") return choice ?? undefined;
  return { type: "function", function: choice["custom"] ?? {} };
}
