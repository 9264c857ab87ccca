import { commandOf, type Client } from "../client.ts";
import { inApplicationData } from "../places.ts";

/** Claude Desktop starts `pergola mcp` and has Pergola's tools. */
export const claudeDesktop: Client = {
  name: "claude-desktop",
  title: "Claude Desktop",
  places: (computer) => [inApplicationData(computer, "Claude")],
  file: (computer) => inApplicationData(computer, "Claude", "claude_desktop_config.json"),
  scopes: ["read", "chat", "tools", "approve"],
  startsPergola: true,
  settings: (service) => ({
    format: "json",
    values: { mcpServers: { pergola: commandOf(service, "mcp") } },
  }),
  notes: () => ["It gets Pergola's tools, not its models. Start it again to have them."],
};
