import { readFile } from "node:fs/promises";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { useTools } from "./mcp.mjs";

/** Claude Desktop starts the servers that its settings name, and has their tools. */
export async function turn(context) {
  const settings = JSON.parse(await readFile(process.env.DESKTOP_SETTINGS, "utf8"));
  const { command, args } = settings.mcpServers.pergola;
  return useTools(context, new StdioClientTransport({ command, args }));
}
