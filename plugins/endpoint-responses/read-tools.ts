import { fieldFault, readToolName } from "@pergola/kit-provider";
import { isObject, stringOf, type Json, type JsonObject, type OfferedTool } from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";

/** A tool of the caller. Throws `invalid_value` naming the field. */
export function readTool(
  { type, name: toolName, description, parameters }: JsonObject,
  at: string,
): OfferedTool {
  if (type !== "function")
    throw fieldFault(
      `${at}.type`,
      "must be function; other tools are the built-in families, offered under their names",
    );
  const name = readToolName(toolName, at);
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw fieldFault(`${at}.parameters`, "must be a JSON schema");
  return {
    name,
    description: stringOf(description),
    parameters: parameters ?? {},
    callers: true,
  };
}

/** `tool_choice` as chat requests have it: this format names a function without an object around the name. */
export function toolChoiceOf(choice: ResponseBody["tool_choice"]): Json | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === "string") {
    if (["auto", "none", "required"].includes(choice)) return choice;
  } else if (choice["type"] === "function" && typeof choice["name"] === "string") {
    return { type: "function", function: { name: choice["name"] } };
  }
  throw fieldFault("tool_choice", "must be auto, none, required, or { type: function, name }");
}

/** `text.format` as the `response_format` of chat requests. */
export function responseFormatOf({ text }: ResponseBody): Json | undefined {
  const format = text?.format ?? undefined;
  if (format === undefined || format["type"] === "text") return undefined;
  if (format["type"] !== "json_schema") return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}
