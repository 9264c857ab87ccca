import { noKey, type Client, type OfferedModel } from "../client.ts";
import { inHome } from "../places.ts";
import { tokenPrinter } from "../token-printer.ts";

/** A model; pi takes one of which it is told nothing for one without pictures, with limits of its own. */
const entryOf = ({ id, facts }: OfferedModel) => ({
  id,
  ...(facts && {
    input: facts.seesPictures ? ["text", "image"] : ["text"],
    contextWindow: facts.contextTokens,
    maxTokens: facts.outputTokens,
  }),
});

export const pi: Client = {
  name: "pi",
  title: "pi",
  programs: ["pi"],
  places: (computer) => [inHome(computer, ".pi")],
  file: (computer) => inHome(computer, ".pi", "agent", "models.json"),
  settings: ({ url, models, token }) => ({
    format: "json",
    values: {
      providers: {
        pergola: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: token ? `!${tokenPrinter(token)}` : noKey,
          models: models.map(entryOf),
        },
      },
    },
  }),
  notes: ({ model }) => [`Start it with: pi --model pergola/${model}`],
};
