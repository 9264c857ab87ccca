import type { Client } from "../client.ts";
import { inFolderOf } from "../places.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  places: (computer) => [inFolderOf(computer, "CODEX_HOME", ".codex")],
  file: (computer) => inFolderOf(computer, "CODEX_HOME", ".codex", "config.toml"),
  settings: ({ url, model, models: [first], token }) => ({
    format: "toml",
    text: [
      "# Above all that stands in [ ]:",
      `model = ${JSON.stringify(model)}`,
      'model_provider = "pergola"',
      ...(first?.facts ? [`model_context_window = ${first.facts.contextTokens}`] : []),
      "",
      "[model_providers.pergola]",
      'name = "Pergola"',
      `base_url = ${JSON.stringify(`${url}/v1`)}`,
      'wire_api = "responses"',
      ...(token ? [`env_key = "${token.variable}"`] : []),
      "",
    ].join("\n"),
  }),
};
