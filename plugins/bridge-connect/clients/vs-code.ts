import { noKey, type Client, type OfferedModel } from "../client.ts";
import { inApplicationData } from "../places.ts";
import { promptAndAnswer } from "../token-limits.ts";

/** Where nobody knows: what the model at hand does not take, Pergola leaves out. */
const usual = { toolCalling: true, vision: true, maxInputTokens: 128_000, maxOutputTokens: 16_000 };

function abilitiesOf({ facts }: OfferedModel): typeof usual {
  if (facts === undefined) return usual;
  const { prompt: maxInputTokens, answer: maxOutputTokens } = promptAndAnswer(facts);
  return { toolCalling: facts.callsTools, vision: facts.seesPictures, maxInputTokens, maxOutputTokens };
}

/** Copilot Chat takes Pergola for a custom endpoint. */
export const vsCode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  places: (computer) => [inApplicationData(computer, "Code", "User")],
  file: (computer) => inApplicationData(computer, "Code", "User", "chatLanguageModels.json"),
  settings: ({ url, models, token }) => ({
    format: "json",
    values: [
      {
        name: "Pergola",
        vendor: "customendpoint",
        apiType: "chat-completions",
        ...(token === undefined && { apiKey: noKey }),
        models: models.map((model) => ({
          id: model.id,
          name: model.id,
          url: `${url}/v1/chat/completions`,
          ...abilitiesOf(model),
        })),
      },
    ],
  }),
  notes: ({ token }) => [
    "Then choose the model in the chat; start VS Code again if it is not in the list. For agents, VS Code " +
      "lists models with tools alone.",
    "A version that has no Custom Endpoint takes Pergola for Ollama: docs/clients.md, Clients of Ollama.",
    ...(token
      ? ["It keeps the token itself: Manage Language Models, the gear beside Pergola, API key."]
      : []),
  ],
};
