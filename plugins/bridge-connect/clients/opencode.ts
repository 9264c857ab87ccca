import { existsSync } from "node:fs";
import type { JsonObject } from "@pergola/sdk";
import { noKey, type Client, type Computer, type OfferedModel, type Token } from "../client.ts";
import { inConfiguration } from "../places.ts";

const referenceTo = ({ file, variable }: Token): string =>
  file === undefined ? `{env:${variable}}` : `{file:${file}}`;

/** It reads both names, and what the second one says goes before the first. */
function file(computer: Computer): string {
  const commented = inConfiguration(computer, "opencode", "opencode.jsonc");
  return existsSync(commented) ? commented : inConfiguration(computer, "opencode", "opencode.json");
}

/** A model, as far as opencode has to know it. */
function entryOf({ id, facts }: OfferedModel): [string, JsonObject] {
  if (facts === undefined) return [id, { name: id }];
  const { contextTokens, outputTokens, callsTools, seesPictures } = facts;
  const input = seesPictures ? ["text", "image"] : ["text"];
  return [
    id,
    {
      name: id,
      limit: { context: contextTokens, output: outputTokens },
      tool_call: callsTools,
      attachment: seesPictures,
      modalities: { input, output: ["text"] },
    },
  ];
}

/** `npm` names the format: `@ai-sdk/openai` speaks Responses. */
export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  places: (computer) => [inConfiguration(computer, "opencode")],
  file,
  settings: ({ url, model, models, token }) => ({
    format: "json",
    values: {
      provider: {
        pergola: {
          npm: "@ai-sdk/openai",
          name: "Pergola",
          options: { baseURL: `${url}/v1`, apiKey: token ? referenceTo(token) : noKey },
          models: Object.fromEntries(models.map(entryOf)),
        },
      },
      model: `pergola/${model}`,
    },
  }),
};
