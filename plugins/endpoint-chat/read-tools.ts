import {
  isObject,
  type Json,
  type JsonObject,
  type OfferedTool,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { ChatBody, ServiceConfig } from "./body-schema.ts";
import { fault } from "./fault.ts";

/** A schema, or its JSON text. */
function readParameters(parameters: Json, at: string): JsonObject {
  try {
    const schema = typeof parameters === "string" ? (JSON.parse(parameters) as Json) : parameters;
    if (isObject(schema)) return schema;
  } catch (cause) {
    throw fault(at, "is not JSON", "invalid_value", cause);
  }
  throw fault(at, "must be a JSON schema");
}

function readTool({ function: definition }: JsonObject, at: string): OfferedTool {
  const { name, description: text, parameters } = isObject(definition) ? definition : {};
  const description = text ?? "";
  if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    throw fault(`${at}.name`, "must be a name of 1 to 64 letters, digits, _, - and dots");
  }
  if (typeof description !== "string") throw fault(`${at}.description`, "must be a string");
  return {
    name,
    description,
    parameters: readParameters(parameters ?? {}, `${at}.parameters`),
    callers: true,
  };
}

/**
 * The caller's tools, and which of the built-in ones are offered beside them: an entry named like a built-in
 * family selects that family.
 */
export function toolsOf(
  body: ChatBody,
  config: ServiceConfig,
  { tools }: Services,
): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const listed = (body.tools ?? []).map((tool, index) => readTool(tool, `tools[${index}].function`));
  if (config.mcp_tools_enabled === false || config.builtin_tools === "none")
    return { callerTools: listed, builtinTools: "none" };
  const callerTools = listed.filter(({ name }) => !tools.isFamily(name));
  if (listed.length === 0 || config.builtin_tools === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: listed.map(({ name }) => name).filter((name) => tools.isFamily(name)) };
}
