import type { JsonSchema, Properties } from "@pergola/sdk";
import { wrapAnsi } from "fast-wrap-ansi";
import { discoverPlugins } from "../plugins/discover.ts";
import { coreSettings } from "./preferences.ts";

/** The settings that people look for first. */
export const commonSettings: Readonly<Record<string, readonly string[]>> = {
  "Models and providers": [
    "default_model",
    "providers.list",
    "providers.from_environment",
    "providers.fallback_chains",
  ],
  You: ["user.name", "user.language", "user.location", "user.time_zone"],
  "What runs may do": [
    "workspace.allowed_roots",
    "authorization.auto_approve",
    "authorization.ask",
    "authorization.grant_duration",
    "sandbox.programs",
    "tools.disabled",
    "tools.terminal.network",
    "runs.resume",
    "runs.max_seconds",
    "runs.max_cost_usd",
  ],
  "What is kept": [
    "memory.inject_count",
    "conversations.max_history",
    "runs.retention_days",
    "changes.retention_days",
    "output.redaction",
    "secrets.store",
  ],
  "The service": [
    "server.port",
    "auth.loopback",
    "server.allow_remote",
    "server.tls.cert",
    "server.tls.key",
    "log.level",
  ],
};

const beginning =
  "The settings of Pergola. Each line that begins with a key shows its default: to change it, take away " +
  "the # and write another value. Write keys and passwords as { env: NAME }, { file: path } or " +
  "{ secret: NAME } (pergola secrets set NAME). `pergola settings list` shows all settings, and where each " +
  "value comes from. What you change here is in force once the service has been started again.";

const comment = (text: string): string => wrapAnsi(text, 98).replaceAll(/^/gm, "# ");

/** The preferences of the host and of the standard plugins. */
function allSettings(): Properties {
  const { dirname: folder } = import.meta;
  const { all } = discoverPlugins({ plugins: undefined, disabled: [], reader: { folder, installed: "" } });
  return Object.assign({}, ...all.map(({ settings }) => settings), coreSettings) as Properties;
}

function rangeOf({ enum: values, minimum, maximum }: JsonSchema): string {
  if (values !== undefined) return ` (${values.join(", ")})`;
  if (minimum === undefined) return "";
  return maximum === undefined ? ` (from ${minimum})` : ` (${minimum} – ${maximum})`;
}

const entryOf = (key: string, schema: JsonSchema): string =>
  `${comment((schema.description ?? key) + rangeOf(schema))}\n#${key}: ${JSON.stringify(schema.default)}`;

/** A settings file in YAML that sets nothing: it names the common settings with their defaults. */
export function settingsTemplate(): string {
  const schemas = allSettings();
  const sections = Object.entries(commonSettings).flatMap(([title, keys]) => {
    const entries = keys.flatMap((key) => (schemas[key] ? [entryOf(key, schemas[key])] : []));
    return [`## ${title}`, ...entries];
  });
  return `${[comment(beginning), ...sections].join("\n\n")}\n`;
}
