import { AppError, didYouMean, type Json, type JsonObject } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { ProviderInstance } from "./provider-instance.ts";

/** Further spellings of kinds. */
const spellings: Readonly<Record<string, string>> = {
  gguf: "local-llama",
  llama: "local-llama",
  mlx: "local-mlx",
};

function kindOf({ type }: Readonly<Record<string, Json>>): string {
  const named = (typeof type === "string" ? type : "").toLowerCase().replaceAll("_", "-");
  return spellings[named] ?? named;
}

/**
 * Whether nothing tells of another key or another place: the customary key is for the kind's own address and
 * goes nowhere else.
 */
const isBare = (record: Readonly<Record<string, Json>>): boolean =>
  ["api_key", "base_url", "headers"].every((field) => !(field in record));

/** Throws AppError for a list of providers that names a kind of nobody, or an address that is none. */
export function checkProviders({ registered }: Pick<Parts, "registered">, values: JsonObject): void {
  const key = "providers.list";
  const kinds = registered.providers.map(({ type }) => type);
  for (const [index, record] of (
    (values[key] ?? []) as readonly Readonly<Record<string, Json>>[]
  ).entries()) {
    const [kind, address] = [kindOf(record), record["base_url"]];
    const hint = didYouMean(kind, kinds) || ` Kinds: ${kinds.join(", ")}.`;
    const fault = (field: string, message: string): AppError =>
      new AppError({ code: "invalid_value", message: `${key}[${index}].${field} ${message}`, param: key });
    if (!kinds.includes(kind)) throw fault("type", `names a kind that no plugin provides: "${kind}".${hint}`);
    if (typeof address === "string" && !URL.canParse(address)) throw fault("base_url", "is no address.");
  }
}

/**
 * The configured providers, those whose customary key variable is set, and those that are always there, in
 * this order. Where one of `open` is what is wanted it goes on.
 */
export function openProviders(
  parts: Parts,
  open: readonly ProviderInstance[] = [],
): readonly ProviderInstance[] {
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
    for (const [index, record] of records.entries())
      if (kindOf(record) === type && isBare(record)) records[index] = { ...record, ...own };
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
    const prefix = count === 1 ? base : `${base}_${count}`;
    const same = open.find((instance) => instance.isOf(definition, record, prefix, quiet));
    if (same !== undefined) return [same];
    try {
      return [new ProviderInstance(parts, definition, record, prefix, quiet)];
    } catch (error) {
      log.error({ type, error }, `a provider of the kind "${type}" in providers.list can not be used`);
      return [];
    }
  });
}
