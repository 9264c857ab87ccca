import type { Caller } from "./run.ts";
import type { Awaitable, Json, JsonObject } from "../util/json.ts";
import type { JsonSchema } from "../util/schema.ts";

/** A preference, its schema, and the value in force. */
export interface Preference {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly value: Json;
  /** Where the value in force comes from. */
  readonly from: "flag" | "environment" | "file" | "stored" | "default";
}

/** What a change came to. */
export interface PreferenceUpdate {
  /** Those that were named, as they are now. */
  readonly changed: readonly Preference[];
  /** Keys of those whose new value is in force only after a restart. */
  readonly restartRequired: readonly string[];
}

/** What is in force. */
export interface PreferenceReader {
  /**
   * The value in force; of one marked `x-restart`, that of the next start. Secrets too, so never show it
   * without looking at the schema.
   */
  get<T extends Json = Json>(key: string): T;
  list(): readonly Preference[];
  /** Whether nobody has set it. */
  isDefault(key: string): boolean;
}

/** Reads and changes preferences. */
export interface PreferenceService extends PreferenceReader {
  /**
   * Stores values by key, all or none; null goes back to the default. A function is asked when no other
   * update can come between what it reads and what it gives; it is given what is stored, by key and as it was
   * written: references to secrets, not the secrets. Resolves when all is stored, in force, and told to those
   * who watch. Rejects with `unknown_preference`, `invalid_value`, `out_of_range`, `remote_not_allowed` or
   * `set_elsewhere`.
   */
  update(
    changes: JsonObject | ((stored: JsonObject) => JsonObject),
    caller: Caller,
  ): Promise<PreferenceUpdate>;
  /** What a change of it by this caller would be refused with; null where it would not be. */
  refusal(preference: Preference, caller: Caller): string | null;
  /**
   * From now on `check` sees each update before it is stored, and may throw AppError for what cannot be used.
   */
  guard(check: (values: JsonObject, caller: Caller) => void): void;
  /** From now on `changed` is told the keys of each update, which waits for it. */
  watch(changed: (keys: readonly string[]) => Awaitable<void>): void;
}
