import { existsSync } from "node:fs";
import { noKey, type Client, type Computer, type Token } from "../client.ts";
import { inConfiguration } from "../places.ts";

const referenceTo = ({ file, variable }: Token): string =>
  file === undefined ? `{env:${variable}}` : `{file:${file}}`;

/** It reads both names, and what the second one says goes before the first. */
function file(computer: Computer): string {
  const commented = inConfiguration(computer, "opencode", "opencode.jsonc");
  return existsSync(commented) ? commented : inConfiguration(computer, "opencode", "opencode.json");
}

/** `npm` names the format: `@ai-sdk/openai` speaks Responses. */
export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  places: (computer) => [inConfiguration(computer, "opencode")],
  file,
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
