import { noKey, type Client } from "../client.ts";
import { inApplicationData } from "../places.ts";

/** Copilot Chat lists models with tools alone. What the model at hand does not take, Pergola leaves out. */
const abilities = { toolCalling: true, vision: true, maxInputTokens: 128_000, maxOutputTokens: 16_000 };

/** Copilot Chat takes Pergola for a custom endpoint. */
export const vsCode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  places: (computer) => [inApplicationData(computer, "Code", "User")],
  file: (computer) => inApplicationData(computer, "Code", "User", "chatLanguageModels.json"),
  settings: ({ url, model, token }) => ({
    format: "json",
    values: [
      {
        name: "Pergola",
        vendor: "customendpoint",
        apiType: "chat-completions",
        ...(token === undefined && { apiKey: noKey }),
        models: [{ id: model, name: model, url: `${url}/v1/chat/completions`, ...abilities }],
      },
    ],
  }),
  notes: ({ token }) => [
    "Then choose the model in the chat; start VS Code again if it is not in the list.",
    "A version that has no Custom Endpoint takes Pergola for Ollama: docs/clients.md, Clients of Ollama.",
    ...(token
      ? ["It keeps the token itself: Manage Language Models, the gear beside Pergola, API key."]
      : []),
  ],
};
