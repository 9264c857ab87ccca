import type { ToolContext } from "@pergola/sdk";
import { askApproval } from "./ask-approval.ts";
import { launchChange, sameLaunch, toolChanges } from "./compare.ts";
import type { KnownServer } from "./known-servers.ts";
import type { McpTool } from "./mcp-tool.ts";
import type { Launch } from "./server-settings.ts";

type Before = KnownServer | undefined;

/** Shows the person what is started or called, where it was not approved. Throws ToolError after a no. */
export async function approveLaunch(
  context: ToolContext,
  server: string,
  before: Before,
  launch: Launch,
): Promise<void> {
  if (before === undefined || sameLaunch(before.launch, launch)) return;
  const prompt = `Use the MCP server "${server}" in its changed form?`;
  await askApproval(context, prompt, launchChange(before.launch, launch));
}

/** The same for its tools. */
export async function approveTools(
  context: ToolContext,
  server: string,
  before: Before,
  tools: readonly McpTool[],
): Promise<void> {
  const changes = before === undefined ? "" : toolChanges(before, tools);
  if (changes === "") return;
  await askApproval(context, `Offer the tools of the MCP server "${server}" as they are now?`, changes);
}
