import path from "node:path";
import { connectByCommand, withPergola } from "../client.ts";
import { program } from "./program.ts";

/** The protocol's own client in its place, by the settings that it reads. */
export const claudeDesktop = program({
  name: "Claude Desktop: MCP",
  row: "claude-desktop",
  packages: ["@modelcontextprotocol/sdk"],
  file: "claude-desktop",
  isMcp: true,
  lacks: ["stream", "arguments"],
  prepare: (place) => connectByCommand(place, "claude-desktop", "--url", place.url),
  variables: (place) => ({
    ...withPergola(place),
    DESKTOP_SETTINGS: path.join(place.home, ".config", "Claude", "claude_desktop_config.json"),
  }),
});
