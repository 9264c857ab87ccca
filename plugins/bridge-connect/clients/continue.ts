import { noKey, type Client } from "../client.ts";
import { inHome } from "../places.ts";

export const continueDev: Client = {
  name: "continue",
  title: "Continue",
  programs: ["cn"],
  places: (computer) => [inHome(computer, ".continue")],
  file: (computer) => inHome(computer, ".continue", "config.yaml"),
  settings: ({ url, model, token }) => ({
    format: "yaml",
    values: {
      name: "Pergola",
      version: "1.0.0",
      schema: "v1",
      models: [
        {
          name: "Pergola",
          provider: "openai",
          model,
          apiBase: `${url}/v1`,
          apiKey: token ? `\${{ secrets.${token.variable} }}` : noKey,
          roles: ["chat"],
          capabilities: ["tool_use"],
        },
      ],
    },
  }),
  notes: ({ token }) => (token ? [`It reads ${token.variable} from ~/.continue/.env`] : []),
};
