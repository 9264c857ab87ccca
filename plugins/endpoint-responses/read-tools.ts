import {
  isObject,
  stringOf,
  type Json,
  type JsonObject,
  type OfferedTool,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { fault } from "./fault.ts";

function readTool({ type, name, description, parameters }: JsonObject, at: string): OfferedTool {
  if (type !== "function")
    throw fault(
      `${at}.type`,
      "must be function; other tools are the built-in families, offered under their names",
    );
  if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    throw fault(`${at}.name`, "must be a name of 1 to 64 letters, digits, _, - and dots");
  }
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw fault(`${at}.parameters`, "must be a JSON schema");
  return {
    name,
    description: stringOf(description),
    parameters: parameters ?? {},
    callers: true,
  };
}

/**
 * The caller's tools, and which of the built-in ones are offered beside them: an entry named like a built-in
 * family selects that family.
 */
export function toolsOf(
  body: ResponseBody,
  { tools, preferences }: Services,
): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const preferred = (): string => preferences.get<string>("endpoints.responses.builtin_tools");
  const { builtin_tools: builtin = preferred(), mcp_tools_enabled: enabled } = body.service_config ?? {};
  const listed = (body.tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  if (enabled === false || builtin === "none") return { callerTools: listed, builtinTools: "none" };
  const callerTools = listed.filter(({ name }) => !tools.isFamily(name));
  if (listed.length === 0 || builtin === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: listed.map(({ name }) => name).filter((name) => tools.isFamily(name)) };
}

/** `tool_choice` as chat requests have it: this format names a function without an object around the name. */
export function toolChoiceOf(choice: ResponseBody["tool_choice"]): Json | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === "string") {
    if (["auto", "none", "required"].includes(choice)) return choice;
  } else if (choice["type"] === "function" && typeof choice["name"] === "string") {
    return { type: "function", function: { name: choice["name"] } };
  }
  throw fault("tool_choice", "must be auto, none, required, or { type: function, name }");
}

/** `text.format` as the `response_format` of chat requests. */
export function responseFormatOf({ text }: ResponseBody): Json | undefined {
  const format = text?.format ?? undefined;
  if (format === undefined || format["type"] === "text") return undefined;
  if (format["type"] !== "json_schema") return format;
  const { type, ...schema } = format;
  return { type, json_schema: schema };
}
