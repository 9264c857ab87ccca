import { isObject, type JsonObject, type OfferedTool, type RunRequest, type Services } from "@pergola/sdk";
import { fieldFault } from "./field-fault.ts";
import type { Warn } from "./sampling.ts";

/** The switches of a request that rule its built-in tools. */
export interface ToolSwitches {
  readonly builtin_tools?: "auto" | "all" | "none";
  readonly mcp_tools_enabled?: boolean;
}

/** How the tools of a request in some format are read. */
export interface ToolFormat {
  /** The endpoint group, whose preference `builtin_tools` counts where the request says nothing. */
  readonly group: string;
  /** Reads a tool and its path; undefined, or no tools, leave it out, once `warn` was called. */
  readonly read: (
    tool: JsonObject,
    at: string,
    warn: Warn,
  ) => OfferedTool | readonly OfferedTool[] | undefined;
  readonly warn: Warn;
}

/** The name of a tool that stands at `at`. Throws `invalid_value`. */
export function readToolName(name: unknown, at: string, most = 64): string {
  if (typeof name === "string" && name.length <= most && /^[\w.-]+$/.test(name)) return name;
  throw fieldFault(`${at}.name`, `must be a name of 1 to ${most} letters, digits, _, - and dots`);
}

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

/** A tool of the caller's: `{name, description, parameters}` at `at`. Throws `invalid_value`. */
export function readFunction(definition: JsonObject, at: string): OfferedTool {
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

/** Whether the schema describes any argument. */
const hasParameters = ({ parameters }: OfferedTool): boolean =>
  Object.keys(parameters.properties ?? {}).length > 0;

/**
 * The caller's tools, and which of the built-in ones are offered beside them. An entry without parameters
 * that is named like a built-in family selects that family; an entry with parameters stays the caller's,
 * whatever its name.
 */
export function selectTools(
  listed: readonly JsonObject[] | null | undefined,
  { tools, preferences }: Pick<Services, "tools" | "preferences">,
  switches: ToolSwitches | null | undefined,
  { group, read, warn }: ToolFormat,
): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const entries = listed ?? [];
  const offered = entries.flatMap((tool, index) => read(tool, `tools[${index}]`, warn) ?? []);
  const preferred = () => preferences.get<"auto" | "all" | "none">(`endpoints.${group}.builtin_tools`);
  const { builtin_tools: builtin = preferred(), mcp_tools_enabled: enabled } = switches ?? {};
  if (enabled === false || builtin === "none") return { callerTools: offered, builtinTools: "none" };
  const selecting = offered.filter((tool) => tools.isFamily(tool.name) && !hasParameters(tool));
  const callerTools = offered.filter((tool) => !selecting.includes(tool));
  if (entries.length === 0 || builtin === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: selecting.map(({ name }) => name) };
}
