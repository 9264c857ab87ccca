import {
  didYouMean,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  type Preference,
  type Properties,
} from "@pergola/sdk";
import {
  readAs,
  canonicalKeys,
  variableOf,
  type PreferenceChange,
  type PreferenceFault,
  type ParsedPreferences,
  type PreferenceTable,
} from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { lowersOnly, mayFolderSet } from "./folder-keys.ts";
import { isSecretName, keyVariables } from "./key-variables.ts";
import type { SettingsLayer, SettingsSource } from "./read-settings.ts";
import { readValue, type Reader } from "./read-value.ts";
import { settingsError } from "./settings-error.ts";
import { faultsOf, invalid } from "./value-faults.ts";
import schema from "./settings.schema.json" with { type: "json" };

type InForce = Pick<Preference, "value" | "from">;

interface NamedValue {
  readonly from: Preference["from"];
  readonly name: string;
  readonly value: Json;
  readonly place: string;
  /** Absent where it comes from no file. */
  readonly layer?: SettingsLayer;
}

const parts = Object.keys(schema.$defs.parts.properties);

/** The host's own preferences; a key with a hole stands for one key for each name that fits in it. */
export const coreSettings: Properties = Object.fromEntries(
  Object.entries(schema.properties as Properties).flatMap(([key, property]) => {
    const [[hole, names] = ["", [""]]] = Object.entries(
      (property["x-names"] ?? {}) as Readonly<Record<string, readonly string[]>>,
    );
    const own = { ...property, default: defaultHere(property) };
    return names.map((name) => [key.replace(hole, name), own] as const);
  }),
);

/** The default on this platform. */
function defaultHere({ default: usual, "x-default-on": platforms }: JsonSchema): unknown {
  const byPlatform = (platforms ?? {}) as Readonly<Record<string, unknown>>;
  return byPlatform[process.platform] ?? usual;
}

/** A text from outside as its preference's type; a list may be written with commas. */
export function fromText(text: Json, property: JsonSchema): Json {
  const isList = property.type === "array" && typeof text === "string" && !text.trim().startsWith("[");
  if (!isList) return readAs(text, property) as Json;
  const items = text.split(",").map((item) => item.trim());
  return items.filter(Boolean);
}

/**
 * All preferences with their values in force: flag, environment, settings file, stored, default, the
 * strongest first.
 */
export class Preferences implements PreferenceTable {
  #source: SettingsSource;
  readonly #root: { readonly properties: Properties };
  readonly #values = new Map<string, InForce>();
  #defaults: ReadonlyMap<string, InForce> = new Map();
  readonly #lenient: boolean;
  /** What an untrusted file has lowered: nothing that is stored goes above it. */
  readonly #ceilings = new Map<string, number>();
  /** Of an untrusted file: the keys in force, and those that are left out. */
  readonly #folderKeys = { applied: [] as string[], ignored: [] as string[] };
  /** What the operator must hear of. */
  readonly warnings: string[] = [];

  /**
   * `declared` are the plugins' preferences. Throws one AppError that lists every fault; with `lenient`
   * unknown keys only warn.
   */
  constructor(source: SettingsSource, declared: readonly Properties[], lenient = false) {
    this.#source = source;
    this.#lenient = lenient;
    this.#root = { properties: { ...(Object.assign({}, ...declared) as Properties), ...coreSettings } };
    this.#readAll();
  }

  /**
   * Reads everything anew, now that secrets are there. Throws as the constructor does, also for secrets that
   * were allowed to miss before.
   */
  readAgain(reader: Reader): void {
    this.#source = { ...this.#source, reader };
    this.#readAll();
  }

  #readAll(): void {
    const { reader, warnings } = this.#source;
    this.warnings.splice(0, Infinity, ...warnings);
    for (const keys of Object.values(this.#folderKeys)) keys.length = 0;
    this.#ceilings.clear();
    for (const [key, property] of Object.entries(this.#root.properties)) {
      const value = readValue((property.default ?? null) as Json, property, key, reader);
      this.#values.set(key, { value, from: "default" });
    }
    this.#defaults = new Map(this.#values);
    const faults = [...reader.faults, ...[...this.#namedValues()].flatMap((value) => this.#take(value))];
    if (faults.length > 0) throw settingsError(faults);
    const untrusted = this.#source.layers.find(({ trusted }) => !trusted);
    if (untrusted !== undefined) this.#warnOf(untrusted);
  }

  #warnOf({ path, folder, content }: SettingsLayer): void {
    const { applied, ignored } = this.#folderKeys;
    const left = [...parts.filter((part) => content[part] !== undefined), ...ignored];
    if (left.length + applied.length === 0) return;
    const inForce = applied.length === 0 ? "" : `, but it sets ${applied.join(", ")}`;
    const advice = `To apply everything in it, run: pergola trust ${folder}`;
    const rest = left.length === 0 ? "" : ` These parts of it are ignored: ${left.join(", ")}.`;
    this.warnings.push(`${path} is not trusted${inForce}.${rest} Read the file. ${advice}`);
  }

  /** The current value. Throws AppError `unknown_preference`. */
  get<T extends Json = Json>(key: string): T {
    const found = this.#values.get(key);
    if (found !== undefined) return found.value as T;
    if (/^endpoints\.[\w-]+\.enabled$/.test(key)) return true as T;
    const { code, message } = this.#unknown(key);
    throw fault(code, message);
  }

  /** Whether nobody has set it. */
  isDefault(key: string): boolean {
    return this.#values.get(key)?.from === "default";
  }

  /** The value in force; undefined for a key that nobody declares. */
  valueOf(key: string): Json | undefined {
    return this.#values.get(key)?.value;
  }

  list(): readonly Preference[] {
    const { properties } = this.#root;
    return [...this.#values].map(([key, inForce]) => ({ key, schema: properties[key]!, ...inForce }));
  }

  /**
   * Every secret in the settings, and what the environment holds under a name such as X_API_KEY; for the
   * scrubber.
   */
  secretValues(): readonly string[] {
    const { secrets, environment } = this.#source.reader;
    const customary = Object.entries(environment)
      .filter(([name]) => isSecretName(name))
      .map(([, value = ""]) => value);
    return [...new Set([...secrets, ...customary.filter((value) => value.length >= 8)])];
  }

  async prepare(values: JsonObject): Promise<void> {
    const { stored } = this.#source.reader;
    stored.forget();
    this.read(values);
    await stored.fetch();
  }

  read(body: JsonObject): ParsedPreferences {
    const { value, unknown } = canonicalKeys(Object.fromEntries(this.#flat(body)), this.#root);
    const secrets = new Set<string>();
    const faults = unknown.map((key) => this.#unknown(key));
    const known = Object.entries(value as JsonObject).filter(([key]) => !unknown.includes(key));
    const changes = known.map(([key, input]): PreferenceChange => {
      if (input === null) return { key, input: null, value: null };
      const reader = {
        ...this.#source.reader,
        folder: "",
        plain: true,
        secretsMayMiss: false,
        faults: [] as string[],
        secrets,
      };
      const property = this.#root.properties[key]!;
      const read = input && readValue(input, property, key, reader);
      const wrong = [...reader.faults.map(invalid), ...faultsOf(read, property, key)];
      if (input !== null)
        faults.push(...wrong.map(({ code, message }) => ({ key, code, message: `${message}.` })));
      return { key, input: input, value: read };
    });
    return { changes, faults, secrets: [...secrets] };
  }

  set(changes: readonly PreferenceChange[]): void {
    for (const { key, input, value } of changes)
      this.#put(key, (input === null && this.#defaults.get(key)) || { value, from: "stored" });
  }

  #unknown(key: string): PreferenceFault {
    const message = `There is no preference "${key}".${didYouMean(key, this.#values.keys())}`;
    return { key, code: "unknown_preference", message };
  }

  /** All values from outside, the weakest source first. */
  *#namedValues(): Iterable<NamedValue> {
    const { pluginLayer, disabledGroups, flags } = this.#source;
    const disabled = { from: "file", value: false, place: `${pluginLayer?.path}: disabled` } as const;
    for (const group of disabledGroups) yield { ...disabled, name: `endpoints.${group}.enabled` };
    for (const [layer, section] of this.#sections()) {
      for (const [name, value] of this.#flat(section))
        yield { from: "file", name, value, place: `${layer.path}: ${name}`, layer };
    }
    yield* this.#fromEnvironment();
    for (const [name, value] of Object.entries(flags))
      yield { from: "flag", name, value, place: `the flag for ${name}` };
  }

  /** The preferences of the settings files, the weakest first, and those of the plugins' entries. */
  *#sections(): Iterable<readonly [SettingsLayer, JsonObject]> {
    const { layers, pluginLayer, plugins = [] } = this.#source;
    for (const layer of layers) {
      const preferences = Object.entries(layer.content).filter(([name]) => !parts.includes(name));
      yield [layer, Object.fromEntries(preferences)];
      if (layer === pluginLayer) for (const { settings = {} } of plugins) yield [layer, settings];
    }
  }

  *#fromEnvironment(): Iterable<NamedValue> {
    const keys = new Map(Object.keys(this.#root.properties).map((key) => [variableOf(key), key]));
    const { environment } = this.#source.reader;
    const named = new Set(keyVariables(this.#source, environment, () => false));
    for (const [name, value] of Object.entries(environment)) {
      const key = keys.get(name);
      if (key === undefined && !named.has(name) && /^PERGOLA_(?!DATA$)/.test(name))
        this.warnings.push(`${name} sets nothing.${didYouMean(name, keys.keys())}`);
      if (key !== undefined && value !== undefined)
        yield { from: "environment", name: key, value, place: name };
    }
  }

  /** A nested record as pairs of dotted names and values; what a preference holds is left whole. */
  *#flat(record: JsonObject, prefix = ""): Iterable<readonly [string, Json]> {
    for (const [part, value] of Object.entries(record)) {
      const name = prefix + part;
      const isKey = canonicalKeys({ [name]: null }, this.#root).unknown.length === 0;
      if (isObject(value) && !isKey) yield* this.#flat(value, `${name}.`);
      else yield [name, value];
    }
  }

  /** Notes what an untrusted folder sets, and what it does not. */
  #mayFolderSet(key: string, wanted: Json): boolean {
    const isAllowed = mayFolderSet(key, wanted, this.#values.get(key)!.value);
    this.#folderKeys[isAllowed ? "applied" : "ignored"].push(key);
    return isAllowed;
  }

  #apply(key: string, inForce: InForce, layer: SettingsLayer | undefined): void {
    if (layer?.trusted !== false || !lowersOnly.has(key)) return this.#put(key, inForce);
    this.#ceilings.set(key, Number(inForce.value));
    this.#put(key, this.#values.get(key)!);
  }

  #put(key: string, inForce: InForce): void {
    const ceiling = this.#ceilings.get(key) ?? Infinity;
    const value = Number(inForce.value) > ceiling ? ceiling : inForce.value;
    this.#values.set(key, { ...inForce, value });
  }

  /** Applies a value, or returns what is wrong with it. */
  #take({ from, name, value, place, layer }: NamedValue): readonly string[] {
    const { value: folded, unknown } = canonicalKeys({ [name]: value }, this.#root);
    if (unknown.length > 0) {
      const message = `${place} is not a preference.${didYouMean(name, this.#values.keys())}`;
      if (!this.#lenient && layer?.trusted !== false) return [message];
      this.warnings.push(message);
      return [];
    }
    const [[key, canonical]] = Object.entries(folded as JsonObject) as [[string, Json]];
    const property = this.#root.properties[key]!;
    if (layer?.trusted === false && !this.#mayFolderSet(key, canonical)) return [];
    const plain = from !== "file";
    const base = this.#source.reader;
    const reader = { ...base, folder: layer?.folder ?? base.folder, plain, faults: [] as string[] };
    const parsed = plain ? fromText(canonical, property) : canonical;
    const read = readValue(parsed, property, place, reader);
    const faults = [...reader.faults, ...faultsOf(read, property, place).map(({ message }) => message)];
    if (faults.length === 0) this.#apply(key, { value: read, from }, layer);
    return faults;
  }
}
