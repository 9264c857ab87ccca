import { freeFormTool, readFunction, readToolName, type Warn } from "@pergola/kit-provider";
import { isObject, stringOf, type Json, type JsonObject, type OfferedTool } from "@pergola/sdk";

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
