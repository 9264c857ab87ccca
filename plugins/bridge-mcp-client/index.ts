import { defineTool, type PluginHost } from "@pergola/sdk";
import { defineHostPlugin, pick, type ProgramHost } from "@pergola/sdk/host";
import { familyOf } from "./family-of.ts";
import { KnownServers } from "./known-servers.ts";
import { McpServer } from "./mcp-server.ts";
import { McpServers } from "./mcp-servers.ts";
import { listServers } from "./operations/list-servers.ts";
import { reviewServer } from "./operations/review-server.ts";
import { CalledPrompts, type CalledRecord } from "./prompts/called-prompts.ts";
import { ServerPrompts } from "./prompts/server-prompts.ts";
import { mcpServers } from "./routes.ts";
import type { ServerSettings } from "./server-settings.ts";

const opened = new Set<McpServer>();

function serversOf(host: ProgramHost): readonly McpServer[] {
  const { settings, ...rest } = pick(host, "settings", "clock", "log", "sandbox", "note");
  const named = Object.entries(
    settings["mcp.servers"] as unknown as Readonly<Record<string, ServerSettings>>,
  );
  const deadline = Number(settings["mcp.connect_seconds"]) * 1000;
  const known = new KnownServers(settings["mcp.path"] as string);
  return named
    .filter(([, { enabled }]) => enabled !== false)
    .map(([name, server]) => new McpServer(name, { ...rest, settings: server, known, deadline }));
}

const serversFamily = (servers: readonly McpServer[]) =>
  defineTool({
    name: "mcp_servers",
    description: "MCP servers of this host.",
    icon: "plug",
    operations: [listServers(servers), reviewServer(servers)],
  });

/** Those of the part that this plugin has made; undefined where another plugin brings it. */
function promptsOf({ services }: PluginHost): ServerPrompts | undefined {
  const { prompts } = services.mcpServers ?? {};
  return prompts instanceof ServerPrompts ? prompts : undefined;
}

/** Prompts that the person calls stand behind the messages that call them. */
function tapPrompts(host: PluginHost): void {
  const open = (id?: string) => host.collection<CalledRecord>("called", { indexes: [] }, id);
  const called = new CalledPrompts(() => promptsOf(host), open);
  host.tap("shapeChat", async (chat, context) => {
    await called.begin(chat, context);
    return chat;
  });
  host.tap("shapeModelCall", (call, context) => called.shape(call, context), { stage: "early" });
  host.tap("runEnded", ({ id }) => called.end(id));
  host.tap("conversationEnded", (id) => called.forget(id));
}

export default defineHostPlugin({
  parts: { mcpServers: (parts) => new McpServers(parts) },
  endpoints: [mcpServers],
  collections: { called: { indexes: [] } },
  register(host) {
    tapPrompts(host);
    host.tap("collectTools", async (registry) => {
      const servers = serversOf(host);
      if (servers.length === 0) return;
      await Promise.all(servers.map((server) => server.collect()));
      for (const server of servers) opened.add(server);
      for (const tool of [...servers.map(familyOf), serversFamily(servers)]) registry.add(tool);
    });
  },
  async stop() {
    const servers = [...opened];
    opened.clear();
    await Promise.allSettled(servers.map((server) => server.end()));
  },
});
