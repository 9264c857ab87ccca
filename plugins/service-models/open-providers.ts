import { AppError, didYouMean, stringOf, type JsonObject, type Preference } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { ProviderInstance, type InstanceSource } from "./provider-instance.ts";
import { definitionOf, kindOf, uniquePrefixes, type ProviderRecord } from "./provider-records.ts";

/**
 * Whether nothing tells of another key or another place: the customary key is for the kind's own address and
 * goes nowhere else.
 */
const isBare = (record: ProviderRecord): boolean =>
  ["api_key", "base_url", "headers"].every((field) => !(field in record));

/** Throws AppError for a list of providers that names a kind of nobody, or an address that is none. */
export function checkProviders({ registered }: Pick<Parts, "registered">, values: JsonObject): void {
  const key = "providers.list";
  const kinds = registered.providers.map(({ type }) => type);
  const records = (values[key] ?? []) as readonly ProviderRecord[];
  for (const [index, record] of records.entries()) {
    const kind = kindOf(record);
    const address = record["base_url"];
    const hint = didYouMean(kind, kinds) || ` Kinds: ${kinds.join(", ")}.`;
    const fault = (field: string, message: string): AppError =>
      new AppError({
        code: "invalid_value",
        message: `${key}[${index}].${field} ${message}`,
        param: key,
      });
    if (!kinds.includes(kind)) throw fault("type", `names a kind that no plugin provides: "${kind}".${hint}`);
    if (typeof address === "string" && !URL.canParse(address)) throw fault("base_url", "is no address.");
  }
}

type Origin = InstanceSource["origin"];

/** How a key is known by where `providers.list` comes from. */
const keySources: Readonly<Record<Preference["from"], Origin["key"]["from"]>> = {
  flag: "environment",
  environment: "environment",
  file: "file",
  stored: "stored",
  default: "none",
};

const keyOf = (record: ProviderRecord, from: Origin["key"]["from"]): Origin["key"] =>
  stringOf(record["api_key"]) === "" ? { set: false, from: "none" } : { set: true, from };

/** The records of the settings, and one for each kind that needs none. Customary keys are filled in. */
function recordsOf(parts: Parts): readonly Pick<InstanceSource, "record" | "origin">[] {
  const { preferences, environment, registered } = parts;
  const configured = preferences.get<ProviderRecord[]>("providers.list");
  const keys = new Map<string, string>();
  for (const { type, keyVariable = [] } of registered.providers) {
    if (!preferences.get<boolean>("providers.from_environment")) break;
    const values = [keyVariable].flat().flatMap((name) => environment[name] || []);
    parts.learnSecrets(values);
    if (values[0] !== undefined) keys.set(type, values[0]);
  }
  const { from = "default" } = preferences.list().find(({ key }) => key === "providers.list") ?? {};
  const fixed = from !== "stored" && from !== "default";
  const named = new Set(configured.map(kindOf));
  const unnamed = registered.providers.filter(
    ({ type, always }) => !named.has(type) && (always || keys.has(type)),
  );
  return [...configured, ...unnamed.map(({ type }) => ({ type }))].map((record) => {
    const key = isBare(record) ? keys.get(kindOf(record)) : undefined;
    if (key === undefined) return { record, origin: { key: keyOf(record, keySources[from]), fixed } };
    return {
      record: { ...record, api_key: key },
      origin: { key: { set: true, from: "environment" }, fixed },
    };
  });
}

/**
 * The configured providers, those whose customary key variable is set, and those that are always there, in
 * this order. Those of `open` that have not changed are kept.
 */
export function openProviders(
  parts: Parts,
  open: readonly ProviderInstance[] = [],
  changed?: () => void,
): readonly ProviderInstance[] {
  const { log } = parts;
  const kinds = parts.registered.providers;
  const configured = parts.preferences.get<ProviderRecord[]>("providers.list").length;
  const uniquePrefix = uniquePrefixes();
  return recordsOf(parts).flatMap(({ record, origin }, index) => {
    const type = kindOf(record);
    const definition = definitionOf(record, kinds);
    if (definition === undefined) {
      const known = kinds.map((kind) => kind.type).join(", ");
      const message = `no plugin provides the kind "${type}" named in providers.list`;
      log.error({ type }, `${message}; known kinds: ${known}`);
      return [];
    }
    const prefix = uniquePrefix(stringOf(record["prefix"]) || definition.prefix);
    const quiet = index >= configured && definition.always === "with-models";
    const source = { definition, record, prefix, quiet, origin };
    try {
      return [open.find((instance) => instance.isOf(source)) ?? new ProviderInstance(parts, source, changed)];
    } catch (error) {
      log.error({ type, error }, `a provider of the kind "${type}" in providers.list cannot be used`);
      return [];
    }
  });
}
