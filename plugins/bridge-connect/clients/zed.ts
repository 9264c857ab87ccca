import { commandOf, type Client } from "../client.ts";
import { inApplicationData, inConfiguration } from "../places.ts";

/** Zed starts `pergola acp` as an agent. */
export const zed: Client = {
  name: "zed",
  title: "Zed",
  programs: ["zed", "zeditor"],
  places: ({ platform }) => (platform === "darwin" ? ["/Applications/Zed.app"] : []),
  file: (computer) =>
    computer.platform === "win32"
      ? inApplicationData(computer, "Zed", "settings.json")
      : inConfiguration(computer, "zed", "settings.json"),
  scopes: ["read", "chat", "tools", "approve"],
  startsPergola: true,
  settings: (service) => {
    const started = service.isOnPath
      ? { command: "pergola", args: ["acp", ...service.options] }
      : commandOf(service, "acp");
    return { format: "json", values: { agent_servers: { Pergola: { type: "custom", ...started } } } };
  },
  notes: () => ["Pergola is in the list of agents then. docs/editors.md says what you have there."],
};
