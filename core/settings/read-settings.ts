import { homedir } from "node:os";
import type { Json, JsonObject, JsonSchema } from "@pergola/sdk";
import type { Surroundings } from "@pergola/sdk/host";
import { renameSettings } from "../plugins/renamed-plugins.ts";
import { compile } from "../schema/validate.ts";
import { findSettings, type SettingsFile } from "./find-settings.ts";
import { openDataDirectory } from "./folders.ts";
import { readValue, type Reader } from "./read-value.ts";
import { settingsError } from "./settings-error.ts";
import { StoredSecrets } from "./stored-secrets.ts";
import schema from "./settings.schema.json" with { type: "json" };
import { isTrusted } from "./trust.ts";

export interface PluginEntry {
  /** A package's name, or a path: absolute, or beginning with a dot. */
  readonly use: string;
  readonly isolation?: "process" | "trusted";
  readonly settings?: JsonObject;
}

export interface SettingsOptions extends Surroundings {
  /** `--settings` */
  readonly file?: string | undefined;
  /** `--data` */
  readonly data?: string | undefined;
  /** Stands for the data directory, but for what was installed there (`x-installed`). */
  readonly scratch?: string | undefined;
  /** Secrets that are not found are empty, and no fault. */
  readonly secretsMayMiss?: boolean;
  /** Preferences given as flags, by key; texts are read as the key's type. */
  readonly flags?: Readonly<Record<string, Json>>;
}

/** A settings file, and whether everything in it counts. */
export interface SettingsLayer extends SettingsFile {
  readonly trusted: boolean;
}

/** What is known before any plugin is: the files, and the parts of them that say which plugins there are. */
export interface SettingsSource {
  /** The user's own file, else that of the working directory. */
  readonly file: SettingsFile | undefined;
  /** The user's own file, and that of the working directory, which is laid over it. */
  readonly layers: readonly SettingsLayer[];
  readonly trusted: boolean;
  /** The layer that chooses the plugins, or disables some. */
  readonly pluginLayer: SettingsLayer | undefined;
  /** Absent = the standard bundle. */
  readonly plugins: readonly PluginEntry[] | undefined;
  readonly disabled: readonly string[];
  /** Endpoint groups that the file switches off by a plugin's old id. */
  readonly disabledGroups: readonly string[];
  /** What the person who keeps the file should change in it. */
  readonly warnings: readonly string[];
  /** As it is written, until `storageIn` has read it. */
  readonly storage: StorageSettings;
  readonly flags: Readonly<Record<string, Json>>;
  readonly reader: Reader;
}

/** The storage backend, and what it is opened with. */
export type StorageSettings = JsonObject & { readonly type: string };

interface Parts {
  readonly plugins?: readonly (string | PluginEntry)[];
  readonly disabled?: readonly string[];
  readonly storage?: SettingsSource["storage"];
}

/** What a settings file says that is no preference. */
export const partsSchema = schema.$defs.parts as JsonSchema;

function checkedParts(file: SettingsFile): Parts {
  const check = compile(partsSchema);
  const faults = check(file.content).map(({ path, message }) => `${file.path}: ${path} ${message}`);
  if (faults.length > 0) throw settingsError(faults);
  return file.content;
}

/** The strongest trusted layer that has a part. */
const layerWith = (layers: readonly SettingsLayer[], ...names: (keyof Parts)[]): SettingsLayer | undefined =>
  layers.findLast(({ trusted, content }) => trusted && names.some((name) => content[name] !== undefined));

function makeReader(options: SettingsOptions, folder: string | undefined): Reader {
  const { environment = process.env, home = homedir(), cwd = process.cwd(), data, scratch } = options;
  const { secretsMayMiss = false } = options;
  const installed = openDataDirectory(data, options);
  return {
    environment,
    home,
    dataDirectory: scratch ?? installed,
    installed,
    folder: folder ?? cwd,
    plain: false,
    secretsMayMiss,
    stored: new StoredSecrets(),
    faults: [],
    secrets: new Set(),
  };
}

function entryOf(entry: string | PluginEntry): PluginEntry {
  if (typeof entry === "string") return { use: entry };
  return entry;
}

/**
 * Finds the settings and reads the parts that choose plugins and storage; those count only in a trusted file.
 * Throws AppError listing all faults.
 */
export async function readSettings(options: SettingsOptions = {}): Promise<SettingsSource> {
  const { flags = {} } = options;
  const { own, folder } = await findSettings(options);
  const files = [own, folder].filter((file) => file !== undefined);
  const layers = files.map((file) => ({ ...file, trusted: isTrusted(file, options) }));
  const trustedParts = layers.filter(({ trusted }) => trusted).map(checkedParts);
  const parts = Object.assign({}, ...trustedParts) as Parts;
  const { plugins, disabled = [], storage = { type: "sqlite" } } = parts;
  const pluginLayer = layerWith(layers, "plugins") ?? layerWith(layers, "disabled") ?? layers.at(-1);
  const reader = makeReader(options, pluginLayer?.folder);
  const entries = plugins?.map(entryOf);
  const { warnings, ...renamed } = renameSettings(entries, disabled);
  return {
    file: layers[0],
    layers,
    trusted: layers.every(({ trusted }) => trusted),
    pluginLayer,
    ...renamed,
    warnings: [...layers.flatMap(unreadIn), ...warnings.map((warning) => `${pluginLayer?.path}: ${warning}`)],
    storage,
    flags,
    reader,
  };
}

const unreadIn = ({ path: file, unread }: SettingsFile): readonly string[] =>
  unread === undefined ? [] : [`${unread} is not read, since there is ${file}. Keep all settings in one.`];

/** The storage's settings with what they refer to. Throws AppError where that is not found. */
export function storageIn({ layers, storage }: SettingsSource, reader: Reader): StorageSettings {
  const layer = layerWith(layers, "storage");
  const faults: string[] = [];
  const own = { ...reader, folder: layer?.folder ?? reader.folder, faults };
  const read = readValue(storage, { "x-secret": true }, `${layer?.path}: storage`, own);
  if (faults.length > 0) throw settingsError(faults);
  return read as StorageSettings;
}
