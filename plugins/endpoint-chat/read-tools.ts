import { freeFormTool } from "@pergola/kit-provider";
import {
  isObject,
  stringOf,
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

function readName(name: unknown, at: string): string {
  if (typeof name === "string" && /^[A-Za-z0-9_.-]{1,64}$/.test(name)) return name;
  throw fault(`${at}.name`, "must be a name of 1 to 64 letters, digits, _, - and dots");
}

function readFunction(definition: JsonObject, at: string): OfferedTool {
  const { description: text, parameters } = definition;
  const name = readName(definition["name"], at);
  const description = text ?? "";
  if (typeof description !== "string") throw fault(`${at}.description`, "must be a string");
  return {
    name,
    description,
    parameters: readParameters(parameters ?? {}, `${at}.parameters`),
    callers: true,
  };
}

/** A tool of the caller: a function, or a custom one, which takes free text. */
function readTool(tool: JsonObject, at: string): OfferedTool {
  const { type, custom, function: definition } = tool;
  if (type !== "custom") return readFunction(isObject(definition) ? definition : {}, `${at}.function`);
  const { name, description, format } = isObject(custom) ? custom : {};
  const own = readName(name, `${at}.custom`);
  return freeFormTool({ name: own, description: stringOf(description), format });
}

/** Models see a custom tool as a function, and so is the choice of one. */
export function toolChoiceOf(choice: Json | null | undefined): Json | undefined {
  if (!isObject(choice) || choice["type"] !== "custom") return choice ?? undefined;
  return { type: "function", function: choice["custom"] ?? {} };
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
  const listed = (body.tools ?? []).map((tool, index) => readTool(tool, `tools[${index}]`));
  if (config.mcp_tools_enabled === false || config.builtin_tools === "none")
    return { callerTools: listed, builtinTools: "none" };
  const isSelection = ({ name, form }: OfferedTool): boolean => form === undefined && tools.isFamily(name);
  const callerTools = listed.filter((tool) => !isSelection(tool));
  if (listed.length === 0 || config.builtin_tools === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: listed.filter(isSelection).map(({ name }) => name) };
}
