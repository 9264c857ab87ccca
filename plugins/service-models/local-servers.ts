import { isObject, stringOf, type JsonObject, type ProviderFetch } from "@pergola/sdk";
import type { LocalServer, Parts } from "@pergola/sdk/host";
import { isOwnAddress } from "./own-address.ts";
import { settingsOf, type ProviderInstance } from "./provider-instance.ts";

/** Milliseconds for the answer of one. */
const patience = 500;

const isModelId = (id: unknown): id is string => typeof id === "string" && /^[\w./:@-]{1,200}$/.test(id);

/** The ids in a listing: it is read from a stranger. undefined where it is none. */
function modelsIn(text: string): readonly string[] | undefined {
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  return data.map((entry: unknown) => (isObject(entry) ? entry["id"] : undefined)).filter(isModelId);
}

/** `localhost` is 127.0.0.1. */
function placeOf(address: string | undefined): string {
  if (address === undefined || !URL.canParse(address)) return "";
  return new URL(address).origin.replace("//localhost", "//127.0.0.1");
}

/** Looks for servers of models on this computer, at the addresses of `providers.local_servers` alone. */
export class LocalServers {
  readonly #parts: Parts;
  readonly #fetches = new Map<string, ProviderFetch>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those that answer, in the order of the setting. */
  async find(configured: readonly ProviderInstance[], signal: AbortSignal): Promise<readonly LocalServer[]> {
    const places = new Set(configured.map(({ settings }) => placeOf(settings.baseUrl)));
    const addresses = this.#parts.preferences.get<JsonObject>("providers.local_servers");
    const found = Object.entries(addresses).map(async ([type, value]) => {
      const baseUrl = stringOf(value).replace(/\/+$/, "");
      const definition = this.#parts.registered.providers.find((kind) => kind.type === type);
      if (definition === undefined || isOwnAddress(this.#parts, baseUrl)) return [];
      const models = await this.#modelsAt(type, baseUrl, signal).catch(() => undefined);
      if (models === undefined) return [];
      return [{ type, name: definition.name, baseUrl, models, configured: places.has(placeOf(baseUrl)) }];
    });
    return (await Promise.all(found)).flat();
  }

  async #modelsAt(
    type: string,
    baseUrl: string,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const fetch = this.#fetches.get(baseUrl) ?? this.#open(type, baseUrl);
    this.#fetches.set(baseUrl, fetch);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const answer = await fetch(`${baseUrl}/models`, { signal: limited });
    const text = await answer.text();
    // Pergola speaks for its models in the words of these servers.
    const isModelServer = answer.status === 200 && answer.header("x-pergola") === undefined;
    return isModelServer ? modelsIn(text) : undefined;
  }

  #open(type: string, baseUrl: string): ProviderFetch {
    const definition = this.#parts.registered.providers.find((kind) => kind.type === type)!;
    return this.#parts.doors.providerFetch(settingsOf(definition, { base_url: baseUrl }, type));
  }
}
