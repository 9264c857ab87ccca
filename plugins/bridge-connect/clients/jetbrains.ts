import { commandOf, type Client } from "../client.ts";
import { inApplicationData, inHome } from "../places.ts";

/** The IDEs of JetBrains start `pergola acp` as an agent, by its full path. */
export const jetbrains: Client = {
  name: "jetbrains",
  title: "JetBrains",
  places: (computer) => [inApplicationData(computer, "JetBrains"), inHome(computer, ".jetbrains")],
  file: (computer) => inHome(computer, ".jetbrains", "acp.json"),
  scopes: ["read", "chat", "tools", "approve"],
  startsPergola: true,
  settings: (service) => ({
    format: "json",
    values: { agent_servers: { Pergola: commandOf(service, "acp") } },
  }),
  notes: ({ url }) => [
    "Pergola is in the list of agents of the AI chat then. docs/editors.md says what you have there.",
    "To have Pergola's models in AI Assistant itself: Settings, Tools, AI Assistant, Models, Ollama, " +
      `with the URL ${url}`,
  ],
};
