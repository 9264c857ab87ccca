import type { Effect } from "@pergola/sdk";
import type { McpTool } from "./mcp-tool.ts";
import type { ServerSettings } from "./server-settings.ts";

/** What the operator says that a call by this name does; undefined where nothing is said. */
export const configuredEffect = (name: string, { effects = {} }: ServerSettings): Effect | undefined =>
  Object.hasOwn(effects, name) ? effects[name] : effects["*"];

/**
 * What a call may do. The operator's word counts; a server's own hints only sort what has to be asked about
 * anyway: nothing that a server says of itself makes its tools run without a question. By the defaults of the
 * protocol a tool that says nothing may destroy; as `execute` it is asked about each time.
 */
export function effectOf({ name, annotations }: McpTool, settings: ServerSettings): Effect {
  const configured = configuredEffect(name, settings);
  if (configured !== undefined) return configured;
  if (annotations["destructiveHint"] === true) return "destructive";
  const isHarmless = annotations["readOnlyHint"] === true || annotations["destructiveHint"] === false;
  return isHarmless && annotations["openWorldHint"] === false ? "write" : "execute";
}
