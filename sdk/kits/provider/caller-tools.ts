import type { JsonObject, OfferedTool, RunRequest, Services } from "@pergola/sdk";
import { fieldFault } from "./field-fault.ts";

/** The switches of a request that rule its built-in tools. */
export interface ToolSwitches {
  readonly builtin_tools?: "auto" | "all" | "none";
  readonly mcp_tools_enabled?: boolean;
}

/** The field `tools` of a request. `read` gets each tool and its path. */
export const readTools = (
  tools: readonly JsonObject[] | null | undefined,
  read: (tool: JsonObject, at: string) => OfferedTool,
): readonly OfferedTool[] => (tools ?? []).map((tool, index) => read(tool, `tools[${index}]`));

/** The name of a tool that stands at `at`. Throws `invalid_value`. */
export function readToolName(name: unknown, at: string, most = 64): string {
  if (typeof name === "string" && name.length <= most && /^[\w.-]+$/.test(name)) return name;
  throw fieldFault(`${at}.name`, `must be a name of 1 to ${most} letters, digits, _, - and dots`);
}

/**
 * The caller's tools, and which of the built-in ones are offered beside them: an entry named like a built-in
 * family selects that family. Without any entry all families are offered.
 */
export function selectTools(
  listed: readonly OfferedTool[],
  { tools }: Services,
  switches?: ToolSwitches | null,
): Pick<RunRequest, "callerTools" | "builtinTools"> {
  const { builtin_tools: builtin, mcp_tools_enabled: enabled } = switches ?? {};
  if (enabled === false || builtin === "none") return { callerTools: listed, builtinTools: "none" };
  const families = listed.map(({ name }) => name).filter((name) => tools.isFamily(name));
  const callerTools = listed.filter(({ name }) => !families.includes(name));
  if (listed.length === 0 || builtin === "all") return { callerTools, builtinTools: "all" };
  return { callerTools, builtinTools: families };
}
