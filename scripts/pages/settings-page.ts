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

const rangeOf = ({ minimum, maximum }: JsonSchema): string =>
  minimum === undefined && maximum === undefined ? "" : `, ${minimum ?? ""} – ${maximum ?? ""}`;

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

const rows = (properties: Properties): readonly string[] =>
  Object.entries(properties).map(
    ([key, schema]) =>
      `| \`${key}\` | ${typeOf(schema)}${rangeOf(schema)} | ` +
      `\`${JSON.stringify(schema.default ?? null)}\` | ${flagsOf(schema)} | ` +
      `${schema.description ?? ""} |`,
  );

const head = ["| Key | Type | Default | Flags | Meaning |", "|---|---|---|---|---|"];

/** docs/settings.md, from the host's schema and the plugins' manifests. */
export function settingsPage(root: string): string {
  const own = readJson(path.join(root, "core/settings/settings.schema.json")).properties ?? {};
  const plugins = readdirSync(path.join(root, "plugins"))
    .map((id) => ({ id, settings: readJson(path.join(root, "plugins", id, "plugin.json")).settings ?? {} }))
    .filter(({ settings }) => Object.keys(settings).length > 0);
  return [
    "# Settings",
    "",
    "Pergola reads one settings file: `pergola.config.json`, `pergola.config.yaml`, `.pergolarc`, or the",
    "field `pergola` of a package.json. It takes the nearest one, from the working directory upward, or",
    "else the one in your configuration folder (`~/.config/pergola/`). `--settings` names another file.",
    "You can nest keys at their dots or write them whole.",
    "",
    "A settings file found in a working directory has limits until you trust it with",
    "`pergola trust <folder>`: it cannot choose plugins or providers, turn on tools or change addresses.",
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
    ...rows(own),
    "",
    ...plugins.flatMap(({ id, settings }) => [`## ${id}`, "", ...head, ...rows(settings), ""]),
  ].join("\n");
}
