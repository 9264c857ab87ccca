import { isObject, type JsonObject, type OfferedTool, type RunRequest, type Services } from "@pergola/sdk";
import { fault } from "./fault.ts";
import { textIn, typeOf } from "./read-blocks.ts";

/** A tool of the caller. Those that another vendor would run are refused: nobody here could. */
export function readTool(tool: JsonObject, at: string): OfferedTool {
  const { description = "", input_schema: schema = {} } = tool;
  const type = typeOf(tool);
  if (type !== "custom" && type !== "")
    throw fault(`${at}.type`, `is ${type}, which is not run here; only tools of the caller are taken`);
  const name = textIn(tool, "name", at);
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name))
    throw fault(`${at}.name`, "must be a name of 1 to 128 letters, digits, _, - and dots");
  if (typeof description !== "string") throw fault(`${at}.description`, "must be a string");
  if (!isObject(schema)) throw fault(`${at}.input_schema`, "must be a JSON schema");
  return { name, description, parameters: schema, callers: true };
}

/**
 * The caller's tools, and which of the built-in ones are offered: all when none is listed, else those that
 * are named.
 */
export function toolsOf(
  listed: readonly JsonObject[],
  { tools }: Services,
): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const given = listed.map((tool, index) => readTool(tool, `tools[${index}]`));
  const names = given.map(({ name }) => name).filter((name) => tools.isFamily(name));
  return {
    callerTools: given.filter(({ name }) => !names.includes(name)),
    builtinTools: given.length === 0 ? "all" : names,
  };
}
