import { defineOperation, type Operation } from "@pergola/sdk";
import type { McpServer } from "../mcp-server.ts";

export const listServers = (servers: readonly McpServer[]): Operation =>
  defineOperation({
    name: "list_servers",
    description: "The MCP servers, their tools, and what of them the person has not approved.",
    effect: "none",
    parameters: {},
    examples: [{ say: "which MCP servers are there?", arguments: {} }],
    run: async () => ({ data: servers.map((server) => server.status()) }),
  });
