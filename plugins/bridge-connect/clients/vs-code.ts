import type { Client } from "../client.ts";
import { inApplicationData } from "../places.ts";

/** Copilot Chat takes Pergola for Ollama. */
export const vsCode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  places: (computer) => [inApplicationData(computer, "Code", "User")],
  file: (computer) => inApplicationData(computer, "Code", "User", "settings.json"),
  settings: ({ url }) => ({
    format: "json",
    values: { "github.copilot.chat.byok.ollamaEndpoint": url },
  }),
  notes: ({ token }) => [
    "Then choose the models: Manage Models, Ollama. Pergola stands in the place of an Ollama that you use.",
    ...(token ? ["Copilot Chat sends no token to Ollama: this service will not let it in."] : []),
  ],
};
