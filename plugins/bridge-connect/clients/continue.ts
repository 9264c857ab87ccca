import { existsSync } from "node:fs";
import type { JsonObject } from "@pergola/sdk";
import { noKey, type Client, type Computer, type OfferedModel } from "../client.ts";
import { inHome } from "../places.ts";

const fileIn = (computer: Computer, name: string): string => inHome(computer, ".continue", name);

/** It reads the older file as long as the newer one is not there. */
function hindrance(computer: Computer): string | undefined {
  const [newer, older] = [fileIn(computer, "config.yaml"), fileIn(computer, "config.json")];
  if (existsSync(newer) || !existsSync(older)) return undefined;
  return (
    `Continue reads ${older} here, and would no longer once ${newer} is there: move your settings ` +
    "to that file first, or add a model with the provider openai and this address to the older one yourself."
  );
}

/** What Continue has to know of a model; it finds out nothing of names that it does not know. */
function abilitiesOf({ facts }: OfferedModel): JsonObject {
  if (facts === undefined) return { capabilities: ["tool_use"] };
  const { contextTokens, outputTokens, callsTools, seesPictures } = facts;
  return {
    capabilities: [...(callsTools ? ["tool_use"] : []), ...(seesPictures ? ["image_input"] : [])],
    defaultCompletionOptions: { contextLength: contextTokens, maxTokens: outputTokens },
  };
}

export const continueDev: Client = {
  name: "continue",
  title: "Continue",
  programs: ["cn"],
  places: (computer) => [inHome(computer, ".continue")],
  file: (computer) => fileIn(computer, "config.yaml"),
  hindrance,
  settings: ({ url, models, token }) => ({
    format: "yaml",
    values: {
      name: "Pergola",
      version: "1.0.0",
      schema: "v1",
      models: models.map((model, at) => ({
        name: at === 0 ? "Pergola" : `Pergola: ${model.id}`,
        provider: "openai",
        model: model.id,
        apiBase: `${url}/v1`,
        apiKey: token ? `\${{ secrets.${token.variable} }}` : noKey,
        roles: ["chat"],
        ...abilitiesOf(model),
      })),
    },
  }),
  notes: ({ token }) => (token ? [`It reads ${token.variable} from ~/.continue/.env`] : []),
};
