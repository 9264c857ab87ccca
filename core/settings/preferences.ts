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
import { codeOf, compile } from "../schema/validate.ts";
import type { SettingsSource } from "./read-settings.ts";
import { readValue } from "./read-value.ts";
import { settingsError } from "./settings-error.ts";
import schema from "./settings.schema.json" with { type: "json" };

type InForce = Pick<Preference, "value" | "from">;

interface NamedValue {
  readonly from: Preference["from"];
  readonly name: string;
  readonly value: Json;
  readonly place: string;
}

const parts = Object.keys(schema.$defs.parts.properties);
const isRestricted = (property: JsonSchema): boolean =>
  property["x-protected"] === true || property["x-secret"] === true;

/** The host's own preferences; a key with a hole stands for one key for each name that fits in it. */
export const coreSettings: Properties = Object.fromEntries(
  Object.entries(schema.properties as Properties).flatMap(([key, property]) => {
    const [[hole, names] = ["", [""]]] = Object.entries(
      (property["x-names"] ?? {}) as Readonly<Record<string, readonly string[]>>,
    );
    return names.map((name) => [key.replace(hole, name), property] as const);
  }),
);

/** A text from outside as its preference's type; a list may be written with commas. */
export function fromText(text: Json, property: JsonSchema): Json {
  const isList = property.type === "array" && typeof text === "string" && !text.trim().startsWith("[");
  if (!isList) return readAs(text, property) as Json;
  const items = text.split(",").map((item) => item.trim());
  return items.filter(Boolean);
}

type ValueFault = Omit<PreferenceFault, "key">;

const invalid = (message: string): ValueFault => ({ code: "invalid_value", message });

function faultsOf(value: Json, property: JsonSchema, place: string): readonly ValueFault[] {
  try {
    return compile(property)(value).map(({ path, keyword, message }) => ({
      code: codeOf(keyword),
      message: `${place}${path && `.${path}`} ${message}`,
    }));
  } catch (error) {
    return [invalid(`${place}: its own schema is faulty: ${(error as Error).message}`)];
  }
}

/**
 * All preferences with their values in force: flag, environment, settings file, stored, default, the
 * strongest first.
 */
export class Preferences implements PreferenceTable {
  readonly #source: SettingsSource;
  readonly #root: { readonly properties: Properties };
  readonly #values = new Map<string, InForce>();
  readonly #defaults: ReadonlyMap<string, InForce>;
  readonly #lenient: boolean;
  readonly #ignored: string[];
  /** What the operator must hear of. */
  readonly warnings: string[] = [];

  /**
   * `declared` are the plugins' preferences. Throws one AppError that lists every fault; with `lenient`
   * unknown keys only warn.
   */
  constructor(source: SettingsSource, declared: readonly Properties[], lenient = false) {
    const { file, trusted, reader, warnings } = source;
    this.#source = source;
    this.warnings.push(...warnings);
    this.#lenient = lenient || !trusted;
    this.#root = { properties: { ...(Object.assign({}, ...declared) as Properties), ...coreSettings } };
    this.#ignored = trusted ? [] : parts.filter((part) => file?.content[part] !== undefined);
    for (const [key, property] of Object.entries(this.#root.properties)) {
      const value = readValue((property.default ?? null) as Json, property, key, reader);
      this.#values.set(key, { value, from: "default" });
    }
    this.#defaults = new Map(this.#values);
    const faults = [...reader.faults, ...[...this.#namedValues()].flatMap((value) => this.#take(value))];
    if (faults.length > 0) throw settingsError(faults);
    if (this.#ignored.length === 0) return;
    this.warnings.push(
      `${file?.path} is not trusted, so these parts of it are ignored: ${this.#ignored.join(", ")}. ` +
        `Read the file. To apply them, run: pergola trust ${file?.folder}`,
    );
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
      .filter(([name]) => /(_KEY|_TOKEN|_SECRET|PASSWORD)$/.test(name))
      .map(([, value = ""]) => value);
    return [...new Set([...secrets, ...customary.filter((value) => value.length >= 8)])];
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
      this.#values.set(key, (input === null && this.#defaults.get(key)) || { value, from: "stored" });
  }

  #unknown(key: string): PreferenceFault {
    const message = `There is no preference "${key}".${didYouMean(key, this.#values.keys())}`;
    return { key, code: "unknown_preference", message };
  }

  /** All values from outside, the weakest source first. */
  *#namedValues(): Iterable<NamedValue> {
    const { file, disabledGroups, flags } = this.#source;
    const disabled = { from: "file", value: false, place: `${file?.path}: disabled` } as const;
    for (const group of disabledGroups) yield { ...disabled, name: `endpoints.${group}.enabled` };
    for (const section of this.#sections()) {
      for (const [name, value] of this.#flat(section))
        yield { from: "file", name, value, place: `${file?.path}: ${name}` };
    }
    yield* this.#fromEnvironment();
    for (const [name, value] of Object.entries(flags))
      yield { from: "flag", name, value, place: `the flag for ${name}` };
  }

  /** The preferences of the settings file, and those of its plugins' entries. */
  #sections(): readonly JsonObject[] {
    const { file, plugins = [] } = this.#source;
    const preferences = Object.entries(file?.content ?? {}).filter(([name]) => !parts.includes(name));
    return [Object.fromEntries(preferences), ...plugins.map(({ settings = {} }) => settings)];
  }

  *#fromEnvironment(): Iterable<NamedValue> {
    const keys = new Map(Object.keys(this.#root.properties).map((key) => [variableOf(key), key]));
    for (const [name, value] of Object.entries(this.#source.reader.environment)) {
      const key = keys.get(name);
      if (key === undefined && /^PERGOLA_(?!DATA$)/.test(name))
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

  /** Applies a value, or returns what is wrong with it. */
  #take({ from, name, value, place }: NamedValue): readonly string[] {
    const { value: folded, unknown } = canonicalKeys({ [name]: value }, this.#root);
    if (unknown.length > 0) {
      const message = `${place} is not a preference.${didYouMean(name, this.#values.keys())}`;
      if (!this.#lenient) return [message];
      this.warnings.push(message);
      return [];
    }
    const [[key, canonical]] = Object.entries(folded as JsonObject) as [[string, Json]];
    const property = this.#root.properties[key]!;
    if (from === "file" && !this.#source.trusted && isRestricted(property)) {
      this.#ignored.push(key);
      return [];
    }
    const plain = from !== "file";
    const reader = { ...this.#source.reader, plain, faults: [] as string[] };
    const parsed = plain ? fromText(canonical, property) : canonical;
    const read = readValue(parsed, property, place, reader);
    const faults = [...reader.faults, ...faultsOf(read, property, place).map(({ message }) => message)];
    if (faults.length === 0) this.#values.set(key, { value: read, from });
    return faults;
  }
}
