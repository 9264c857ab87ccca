import type { Json, Parts } from "@pergola/sdk";
import { ProviderInstance } from "./provider-instance.ts";

/** Further spellings of kinds. */
const spellings: Readonly<Record<string, string>> = { gguf: "local-llama", llama: "local-llama", mlx: "local-mlx" };

function kindOf({ type }: Readonly<Record<string, Json>>): string {
  const named = (typeof type === "string" ? type : "").toLowerCase().replaceAll("_", "-");
  return spellings[named] ?? named;
}

/** Whether nothing tells of another key or another place: the customary key is for the kind's own address and goes nowhere else. */
const isBare = (record: Readonly<Record<string, Json>>): boolean => ["api_key", "base_url", "headers"].every((field) => !(field in record));

/** The configured providers, those whose customary key variable is set, and those that are always there, in this order. */
export function openProviders(parts: Parts): readonly ProviderInstance[] {
  const { preferences, log, environment } = parts;
  const kinds = parts.registered.providers;
  const records = [...preferences.get<Readonly<Record<string, Json>>[]>("providers.list")];
  const configured = records.length;
  const fromEnvironment = preferences.get<boolean>("providers.from_environment");
  for (const { type, keyVariable = [], always } of kinds) {
    const keys = [keyVariable].flat().flatMap((name) => environment[name] || []);
    const [key] = keys;
    if (fromEnvironment) parts.learnSecrets(keys);
    const own: Readonly<Record<string, Json>> = fromEnvironment && key !== undefined ? { api_key: key } : {};
    const isNamed = records.some((record) => kindOf(record) === type);
    if (!isNamed && (always || "api_key" in own)) records.push({ type });
    for (const [index, record] of records.entries()) if (kindOf(record) === type && isBare(record)) records[index] = { ...record, ...own };
  }
  const taken = new Map<string, number>();
  return records.flatMap((record, index) => {
    const type = kindOf(record);
    const definition = kinds.find((kind) => kind.type === type);
    if (definition === undefined)
      log.error(
        { type },
        `no plugin provides the kind "${type}" named in providers.list; known kinds: ${kinds.map((kind) => kind.type).join(", ")}`,
      );
    if (definition === undefined) return [];
    const base = typeof record["prefix"] === "string" ? record["prefix"] : definition.prefix;
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    const quiet = index >= configured && definition.always === "with-models";
    return [new ProviderInstance(parts, definition, record, count === 1 ? base : `${base}_${count}`, quiet)];
  });
}
