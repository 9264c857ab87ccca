import { existsSync } from "node:fs";
import { noKey, type Client, type Computer } from "../client.ts";
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

export const continueDev: Client = {
  name: "continue",
  title: "Continue",
  programs: ["cn"],
  places: (computer) => [inHome(computer, ".continue")],
  file: (computer) => fileIn(computer, "config.yaml"),
  hindrance,
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
