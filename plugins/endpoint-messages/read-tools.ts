import { fieldFault, readToolName, type Warn } from "@pergola/kit-provider";
import { isObject, type JsonObject, type OfferedTool } from "@pergola/sdk";
import { textIn, typeOf } from "./read-blocks.ts";

/** A tool of the caller. One that another vendor would run is left out with a warning: nobody here could. */
export function readTool(tool: JsonObject, at: string, warn: Warn): OfferedTool | undefined {
  const { description = "", input_schema: schema = {} } = tool;
  const type = typeOf(tool);
  if (type !== "custom" && type !== "") {
    warn(`${at} was left out: tools of type ${type} are run by another vendor, and not here`);
    return undefined;
  }
  const name = readToolName(textIn(tool, "name", at), at, 128);
  if (typeof description !== "string") throw fieldFault(`${at}.description`, "must be a string");
  if (!isObject(schema)) throw fieldFault(`${at}.input_schema`, "must be a JSON schema");
  return { name, description, parameters: schema, callers: true };
}
