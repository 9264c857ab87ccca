import { AppError, type ProviderSettings } from "@pergola/sdk";
import type { Preset } from "./preset.ts";

/** Gives the URL of a path below the runtime's own root: the base URL without its `/v1`. */
export function runtimeAddressOf(address: (path: string) => string): (path: string) => string {
  return (path) => {
    const root = new URL(address(""));
    root.pathname = root.pathname.replace(/\/v1\/?$/, "") + path;
    return root.href;
  };
}

/**
 * Gives the URL of a path below the provider's base URL, whose query is kept. Throws AppError
 * `invalid_value`.
 */
export function addressOf(
  { root = "", baseUrl: usual }: Preset,
  { name, baseUrl = usual }: ProviderSettings,
): (path: string) => string {
  const given = baseUrl === undefined || !URL.canParse(baseUrl) ? undefined : new URL(baseUrl);
  if (given === undefined) {
    throw new AppError({
      code: "invalid_value",
      message: `${name} needs a base_url, such as http://127.0.0.1:8000/v1.`,
      param: "base_url",
    });
  }
  const base = given.pathname.replace(/\/+$/, "");
  const prefix = base.endsWith(root) ? base : base + root;
  return (path) => {
    const address = new URL(given);
    address.pathname = prefix + path;
    return address.href;
  };
}

/** The headers of every request, lower-case; the person's own win. */
export function headersOf(
  { headers = {}, login }: Preset,
  settings: ProviderSettings,
): Readonly<Record<string, string>> {
  const own = Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    "content-type": "application/json",
    ...headers,
    ...(settings.apiKey === undefined || settings.apiKey === "" || login !== undefined
      ? {}
      : { authorization: `Bearer ${settings.apiKey}` }),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}
