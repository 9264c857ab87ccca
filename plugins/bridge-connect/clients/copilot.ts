import type { Client } from "../client.ts";
import { inHome } from "../places.ts";
import { quoted } from "../quoted.ts";
import { promptAndAnswer } from "../token-limits.ts";
import { tokenPrinter } from "../token-printer.ts";

/** GitHub Copilot in the terminal; with a provider of its own it needs no account. */
export const copilot: Client = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  programs: ["copilot"],
  places: (computer) => [inHome(computer, ".copilot")],
  settings: ({ url, model, models: [first], token }) => {
    const limits = first?.facts && promptAndAnswer(first.facts);
    const variables = {
      BASE_URL: `${url}/v1`,
      ...(token && { API_KEY_COMMAND: tokenPrinter(token) }),
      ...(limits && { MAX_PROMPT_TOKENS: `${limits.prompt}`, MAX_OUTPUT_TOKENS: `${limits.answer}` }),
    };
    const lines = Object.entries(variables).map(
      ([name, value]) => `COPILOT_PROVIDER_${name}=${quoted(value)}`,
    );
    return { format: "sh", text: [...lines, `COPILOT_MODEL=${quoted(model)}`, "copilot\n"].join(" \\\n  ") };
  },
};
