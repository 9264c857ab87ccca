import { noKey, type Client, type Stale } from "../client.ts";
import { inFolderOf } from "../places.ts";
import { tokenPrinter } from "../token-printer.ts";

/** With both in its file, Claude Code takes the key. */
const key: Stale = { path: ["env", "ANTHROPIC_AUTH_TOKEN"], isOurs: (value) => value === noKey };
const helper: Stale = { path: ["apiKeyHelper"], isOurs: (value) => value === "printenv PERGOLA_AUTH_TOKEN" };

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  places: (computer) => [inFolderOf(computer, "CLAUDE_CONFIG_DIR", ".claude")],
  file: (computer) => inFolderOf(computer, "CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
  settings: ({ url, model, token }) => ({
    format: "json",
    stale: [token === undefined ? helper : key],
    values: {
      ...(token && { apiKeyHelper: tokenPrinter(token) }),
      env: {
        ANTHROPIC_BASE_URL: url,
        ...(token === undefined && { ANTHROPIC_AUTH_TOKEN: noKey }),
        ANTHROPIC_MODEL: model,
        ANTHROPIC_SMALL_FAST_MODEL: model,
      },
    },
  }),
  notes: () => ["All sessions of Claude Code use Pergola then. Take these lines out to go back."],
};
