import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { JsonSchema, Properties } from "@pergola/sdk";

const readJson = (file: string) =>
  JSON.parse(readFileSync(file, "utf8")) as {
    readonly properties?: Properties;
    readonly settings?: Properties;
  };

function typeOf({ type, enum: values, items }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (type === "array") return `list of ${items === undefined ? "values" : typeOf(items)}`;
  return String(type ?? "any");
}

/** The smallest and the largest value, after a comma; empty where there is neither. */
export function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined && maximum === undefined) return "";
  return maximum === undefined ? `, from ${minimum}` : `, ${minimum ?? ""} – ${maximum}`;
}

function flagsOf(schema: JsonSchema): string {
  const flags = {
    "x-secret": "secret",
    "x-protected": "protected",
    "x-restart": "restart",
    "x-early": "early",
  };
  return Object.entries(flags)
    .filter(([key]) => schema[key] === true)
    .map(([, word]) => word)
    .join(", ");
}

/** The default, and where it is another one. */
export function defaultOf({ default: usual = null, "x-default-on": platforms }: JsonSchema): string {
  const others = Object.entries((platforms ?? {}) as Readonly<Record<string, unknown>>);
  const exceptions = others.map(([platform, value]) => `; \`${JSON.stringify(value)}\` on ${platform}`);
  return `\`${JSON.stringify(usual)}\`${exceptions.join("")}`;
}

const rows = (properties: Properties): readonly string[] =>
  Object.entries(properties).map(
    ([key, schema]) =>
      `| \`${key}\` | ${typeOf(schema)}${rangeOf(schema)} | ` +
      `${defaultOf(schema)} | ${flagsOf(schema)} | ` +
      `${schema.description ?? ""} |`,
  );

const head = ["| Key | Type | Default | Flags | Meaning |", "|---|---|---|---|---|"];

interface SettingsOfPlugin {
  /** The plugin's id; empty for the host. */
  readonly id: string;
  readonly settings: Properties;
}

/** All settings: those of the host first, then those of each plugin that has some. */
export function settingsOf(root: string): readonly SettingsOfPlugin[] {
  const own = readJson(path.join(root, "core/settings/settings.schema.json")).properties ?? {};
  const plugins = readdirSync(path.join(root, "plugins"))
    .map((id) => ({ id, settings: readJson(path.join(root, "plugins", id, "plugin.json")).settings ?? {} }))
    .filter(({ settings }) => Object.keys(settings).length > 0);
  return [{ id: "", settings: own }, ...plugins];
}

/** docs/settings.md, from the host's schema and the plugins' manifests. */
export function settingsPage(root: string): string {
  const [host, ...plugins] = settingsOf(root);
  return [
    "# Settings",
    "",
    "Pergola reads your own settings file, in your configuration folder (`~/.config/pergola/`) or named",
    "by `--settings`: `pergola.config.json`, `pergola.config.yaml`, `.pergolarc`, or the field `pergola` of",
    "a package.json. The nearest such file from the working directory upward is laid over it, key by key.",
    "You can nest keys at their dots or write them whole. `pergola init` writes your own file: it sets",
    "nothing yet, and names the common settings with their defaults.",
    "",
    "Until you trust a folder with `pergola trust <folder>`, its [tools](single-file-tools.md) and",
    "[instructions](instructions.md) are not used,",
    "and its settings file can set only these keys:",
    "`default_model` (a local one while your own is local), `user.language`, `user.time_zone`,",
    "`workflow.max_iterations` (downwards), `conversations.max_history`, `memory.inject_count`,",
    "`memory.inject_threshold` and `stream.*`. A line at the start names the file, what of it is in force",
    "and what is not.",
    "",
    "A key in an environment variable can be read by every program that runs as you, commands that you",
    "approve included: `/proc` shows it. Prefer `{ file: path }`.",
    "",
    "If a key has several values, the first of these wins: a flag, the environment (`server.port` is",
    "`PERGOLA_SERVER_PORT`), the settings file, a stored preference, the default. Write secrets as",
    "`{ env: NAME }` or `{ file: path }`. An unknown key is an error that names the most similar key.",
    "",
    "| Part | Form |",
    "|---|---|",
    "| `plugins` | list of package names, paths, or `{ use, isolation: process or trusted, " +
      "settings }`; if absent, the standard bundle |",
    "| `disabled` | list of plugin ids |",
    "| `storage` | `{ type, … }`; default `{ type: sqlite }` |",
    "",
    "Flags in the tables below:",
    "",
    "- *secret*: the value is never shown.",
    "- *protected*: an untrusted settings file cannot set it. Remote callers can change it " +
      "only if `server.remote_admin` is on.",
    "- *restart*: a change takes effect after a restart.",
    "- *early*: needed before the storage is open, so it cannot be a stored preference.",
    "",
    "Change stored preferences with `PATCH /api/preferences` or `pergola settings set`. Except for",
    "*restart* ones, they take effect at once. `pergola settings list` shows where each value comes from.",
    "",
    "## The host",
    "",
    ...head,
    ...rows(host?.settings ?? {}),
    "",
    ...plugins.flatMap(({ id, settings }) => [`## ${id}`, "", ...head, ...rows(settings), ""]),
  ].join("\n");
}
