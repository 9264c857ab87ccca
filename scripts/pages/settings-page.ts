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
    "A settings file is `pergola.config.json`, `pergola.config.yaml`, `.pergolarc` or the " +
      "field `pergola` of a package.json: the nearest from the working",
    "directory upward, else the one in the user's configuration folder; `--settings` names " +
      "one. Keys are nested at their dots, or written whole.",
    "A file in the working directory may choose neither plugins nor providers, enable no tools " +
      "and change no addresses until it is trusted:",
    "`pergola trust <folder>`.",
    "",
    "Strongest first: a flag, the environment (`server.port` is `PERGOLA_SERVER_PORT`), the " +
      "settings file, a stored preference, the default. Secrets are",
    "written as `{ env: NAME }` or `{ file: path }`. An unknown key is an error that names the " +
      "nearest known one.",
    "",
    "| Part | Form |",
    "|---|---|",
    "| `plugins` | list of package names, paths, or `{ use, isolation: process or trusted, " +
      "settings }`; absent = the standard bundle |",
    "| `disabled` | plugin ids |",
    "| `storage` | `{ type, … }`; default `{ type: sqlite }` |",
    "",
    "Flags: *secret* values are never shown; *protected* ones do not count in a file that is " +
      "not trusted, and are not for remote callers; *restart*",
    "ones are in force after a restart; *early* ones are needed before the store is open and " +
      "cannot be stored.",
    "",
    "Stored preferences are changed with `PATCH /api/preferences` or `pergola settings set`, " +
      "and are in force at once. `pergola settings list` shows where",
    "each value comes from.",
    "",
    "## The host",
    "",
    ...head,
    ...rows(own),
    "",
    ...plugins.flatMap(({ id, settings }) => [`## ${id}`, "", ...head, ...rows(settings), ""]),
  ].join("\n");
}
