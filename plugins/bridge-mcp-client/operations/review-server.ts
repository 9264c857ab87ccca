import { defineOperation, ToolError, type Operation } from "@pergola/sdk";
import type { McpServer } from "../mcp-server.ts";

/** Its effect is none: whatever it would change, it asks the person about by itself, showing all of it. */
export const reviewServer = (servers: readonly McpServer[]): Operation =>
  defineOperation({
    name: "review_server",
    description: "Show the person what has changed in an MCP server, and let them approve it.",
    effect: "none",
    parameters: { server: { type: "string", enum: servers.map(({ name }) => name) } },
    required: ["server"],
    examples: [
      {
        say: `review the MCP server ${servers[0]?.name ?? ""}`,
        arguments: { server: servers[0]?.name ?? "" },
      },
    ],
    async run({ server }, context) {
      const found = servers.find(({ name }) => name === server);
      if (found === undefined) throw new ToolError("not_found", `There is no MCP server "${server}".`);
      return found.review(context);
    },
  });
