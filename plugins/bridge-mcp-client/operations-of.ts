import type { Effect, JsonObject, Operation, OperationResult, ToolContext } from "@pergola/sdk";
import { adoptSchema } from "./adopt-schema.ts";
import { effectOf } from "./effect-of.ts";
import type { McpTool } from "./mcp-tool.ts";
import type { ServerSettings } from "./server-settings.ts";
import { shortened } from "./shortened.ts";

export interface ToolCall {
  readonly tool: McpTool;
  readonly arguments: JsonObject;
  readonly effect: Effect;
}

interface Rules {
  readonly settings: ServerSettings;
  /** Tools that are not offered. */
  readonly changed: readonly string[];
  readonly run: (call: ToolCall, context: ToolContext) => Promise<OperationResult>;
}

const longestDescription = 1000;

/** What an operation may be called: as hosts fold names, so that no two look alike. */
const operationName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .slice(0, 64);

/**
 * The tools of a server as operations. Of two whose names come to the same the first counts; it cannot be
 * passed off as the other.
 */
export function operationsOf(server: string, tools: readonly McpTool[], rules: Rules): readonly Operation[] {
  const selected = tools.filter(
    ({ name }) => operationName(name) !== "" && (rules.settings.tools?.includes(name) ?? true),
  );
  const first = new Map(selected.toReversed().map((tool) => [operationName(tool.name), tool]));
  const chosen = selected.filter((tool) => first.get(operationName(tool.name)) === tool);
  return chosen.map((tool) => operationOf(server, tool, rules));
}

function operationOf(server: string, tool: McpTool, { settings, changed, run }: Rules): Operation {
  const { parameters, required, renamed } = adoptSchema(tool.inputSchema);
  const effect = effectOf(tool, settings);
  const theirs = (args: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(args).map(([name, value]) => [renamed[name] ?? name, value]));
  return {
    name: operationName(tool.name),
    description: shortened(tool.description, longestDescription) || "(no description)",
    effect,
    place: "external",
    parameters,
    required,
    hidden: changed.includes(tool.name),
    display: () => ({ summary: `${operationName(tool.name)} on the MCP server ${server}`, icon: "plug" }),
    run: (args: JsonObject, context) => run({ tool, arguments: theirs(args), effect }, context),
  };
}
