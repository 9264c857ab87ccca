import type { Log } from "../contract/log.ts";
import type { PreferenceReader } from "../contract/preferences.ts";
import type { Stores } from "./records.ts";
import type { Json, JsonObject } from "../util/json.ts";

/** A value to be stored: the input, null for none, and the value that it means. */
export interface PreferenceChange {
  readonly key: string;
  readonly input: Json;
  readonly value: Json;
}

/** Why a value was refused. */
export interface PreferenceFault {
  readonly key: string;
  readonly code: string;
  readonly message: string;
}

/** Values that were read, and what is wrong with others. */
export interface ParsedPreferences {
  readonly changes: readonly PreferenceChange[];
  readonly faults: readonly PreferenceFault[];
  /** Those among the values, the faulty ones too. */
  readonly secrets: readonly string[];
}

/** The host's own table of preferences. */
export interface PreferenceTable extends PreferenceReader {
  /** Fetches what the values refer to as `{ secret: NAME }`, for `read`. */
  prepare(values: JsonObject): Promise<void>;
  /** Names in any accepted form and values, made canonical and checked. */
  read(values: JsonObject): ParsedPreferences;
  /**
   * Puts stored values in force; null goes back to the default. Only for those that no flag, variable or file
   * has set.
   */
  set(changes: readonly PreferenceChange[]): void;
}

/** What the host gives to the part that keeps preferences. */
export interface PreferenceHost {
  readonly table: PreferenceTable;
  readonly stores: Stores;
  /** From now on these are secrets, wherever text is redacted. */
  learnSecrets(values: Iterable<string>): void;
  /** Throws AppError for values with which the host could not start, by key. */
  check(values: JsonObject): void;
  readonly log: Log;
}
