import { defined, stringOf, type Json, type ProviderDefinition } from "@pergola/sdk";
import { pick, type ProviderChange } from "@pergola/sdk/host";

/** An entry of `providers.list`. */
export type ProviderRecord = Readonly<Record<string, Json>>;

type Kinds = readonly ProviderDefinition[];

/** Further spellings of kinds. */
const spellings: Readonly<Record<string, string>> = {
  gguf: "local-llama",
  llama: "local-llama",
  mlx: "local-mlx",
};

export function kindOf({ type }: ProviderRecord): string {
  const named = stringOf(type).toLowerCase().replaceAll("_", "-");
  return spellings[named] ?? named;
}

export const definitionOf = (record: ProviderRecord, kinds: Kinds): ProviderDefinition | undefined =>
  kinds.find(({ type }) => type === kindOf(record));

/** Gives each prefix once: the second of a name gets `_2`. */
export function uniquePrefixes(): (prefix: string) => string {
  const used = new Set<string>();
  return (prefix) => {
    let unique = prefix;
    for (let number = 2; used.has(unique); number++) unique = `${prefix}_${number}`;
    used.add(unique);
    return unique;
  };
}

/**
 * Each with the id and the prefix that its place in the list gives it, so that its models keep their names
 * when the list changes.
 */
export function withNames(records: readonly ProviderRecord[], kinds: Kinds): readonly ProviderRecord[] {
  const uniquePrefix = uniquePrefixes();
  return records.map((record) => {
    const definition = definitionOf(record, kinds);
    if (definition === undefined) return record;
    const prefix = uniquePrefix(stringOf(record["prefix"]) || definition.prefix);
    return { ...record, id: stringOf(record["id"]) || prefix, prefix };
  });
}

function originOf(record: ProviderRecord, kinds: Kinds): string | undefined {
  const address = stringOf(record["base_url"]) || definitionOf(record, kinds)?.baseUrl;
  return address === undefined || !URL.canParse(address) ? undefined : new URL(address).origin;
}

/** Whether requests of both go to the same origin, by the same kind of provider. */
export const isSamePlace = (a: ProviderRecord, b: ProviderRecord, kinds: Kinds): boolean =>
  kindOf(a) === kindOf(b) && originOf(a, kinds) === originOf(b, kinds);

/** What goes with a provider to another origin: nothing that could be a key. */
const plainFields = [
  "id",
  "type",
  "name",
  "prefix",
  "enabled",
  "base_url",
  "models",
  "max_tokens",
  "temperature",
  "timeout_seconds",
  "idle_timeout_seconds",
  "retry_count",
];

/**
 * A record after a change. Its key stays where none is given, null removes it, and another origin is never
 * sent the key or the headers that were meant for this one.
 */
export function changedRecord(
  record: ProviderRecord,
  { apiKey, baseUrl, ...change }: Omit<ProviderChange, "apiKey" | "check"> & { readonly apiKey?: Json },
  kinds: Kinds,
): ProviderRecord {
  const fields = defined({ ...pick(change, "type", "name", "models", "enabled"), base_url: baseUrl });
  const next: Record<string, Json> = { ...record, ...(fields as ProviderRecord) };
  const isElsewhere = originOf(next, kinds) !== originOf(record, kinds);
  const drops = (field: string): boolean =>
    (isElsewhere && !plainFields.includes(field)) || (field === "api_key" && apiKey !== undefined);
  const kept = Object.fromEntries(Object.entries(next).filter(([field]) => !drops(field)));
  return apiKey === undefined || apiKey === null ? kept : { ...kept, api_key: apiKey };
}
