import { fieldFault, readToolName } from "@pergola/kit-provider";
import { isObject, type JsonObject, type OfferedTool } from "@pergola/sdk";
import { textIn, typeOf } from "./read-blocks.ts";

/** A tool of the caller. Those that another vendor would run are refused: nobody here could. */
export function readTool(tool: JsonObject, at: string): OfferedTool {
  const { description = "", input_schema: schema = {} } = tool;
  const type = typeOf(tool);
  if (type !== "custom" && type !== "")
    throw fieldFault(`${at}.type`, `is ${type}, which is not run here; only tools of the caller are taken`);
  const name = readToolName(textIn(tool, "name", at), at, 128);
  if (typeof description !== "string") throw fieldFault(`${at}.description`, "must be a string");
  if (!isObject(schema)) throw fieldFault(`${at}.input_schema`, "must be a JSON schema");
  return { name, description, parameters: schema, callers: true };
}
