import { noKey, type Client } from "../client.ts";
import { inHome } from "../places.ts";
import { tokenPrinter } from "../token-printer.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
  programs: ["pi"],
  places: (computer) => [inHome(computer, ".pi")],
  file: (computer) => inHome(computer, ".pi", "agent", "models.json"),
  settings: ({ url, model, token }) => ({
    format: "json",
    values: {
      providers: {
        pergola: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: token ? `!${tokenPrinter(token)}` : noKey,
          models: [{ id: model }],
        },
      },
    },
  }),
  notes: ({ model }) => [`Start it with: pi --model pergola/${model}`],
};
