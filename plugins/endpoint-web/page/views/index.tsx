import type { ComponentChildren } from "preact";
import { CheckView } from "./check.tsx";
import { McpView } from "./mcp.tsx";
import { MemoryView } from "./memory.tsx";
import { ModelsView } from "./models.tsx";
import { PluginsView } from "./plugins.tsx";
import { RunsView, TimelineView } from "./runs.tsx";
import { SearchView } from "./search.tsx";
import { SettingsView } from "./settings.tsx";
import { WaitingView } from "./waiting.tsx";

/** The views beside the chat, by their addresses: the heading of each, and what it draws below that. */
export const views: Readonly<Record<string, { name: string; draw: (step?: string) => ComponentChildren }>> = {
  waiting: { name: "Waiting", draw: (id) => <WaitingView key={id} id={id} /> },
  runs: { name: "Runs", draw: (id) => (id === undefined ? <RunsView /> : <TimelineView key={id} id={id} />) },
  memory: { name: "Memory", draw: (id) => <MemoryView key={id} id={id} /> },
  models: { name: "Models", draw: () => <ModelsView /> },
  plugins: { name: "Plugins", draw: () => <PluginsView /> },
  mcp: { name: "MCP servers", draw: () => <McpView /> },
  settings: { name: "Settings", draw: (group) => <SettingsView group={group} /> },
  check: { name: "Check", draw: () => <CheckView /> },
  search: { name: "Search", draw: (words) => <SearchView words={words} /> },
};
