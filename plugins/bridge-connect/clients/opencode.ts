import { noKey, type Client, type Token } from "../client.ts";
import { inConfiguration } from "../places.ts";

const referenceTo = ({ file, variable }: Token): string =>
  file === undefined ? `{env:${variable}}` : `{file:${file}}`;

/** `npm` names the format: `@ai-sdk/openai` speaks Responses. */
export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  places: (computer) => [inConfiguration(computer, "opencode")],
  file: (computer) => inConfiguration(computer, "opencode", "opencode.json"),
  settings: ({ url, model, token }) => ({
    format: "json",
    values: {
      provider: {
        pergola: {
          npm: "@ai-sdk/openai",
          name: "Pergola",
          options: { baseURL: `${url}/v1`, apiKey: token ? referenceTo(token) : noKey },
          models: { [model]: { name: model } },
        },
      },
      model: `pergola/${model}`,
    },
  }),
};
