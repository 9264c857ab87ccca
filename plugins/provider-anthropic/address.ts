import { AppError, type ProviderSettings } from "@pergola/sdk";

/** The version of the format (header `anthropic-version`). */
const version = "2023-06-01";

/**
 * Gives the URL of a path below the base URL, which may be given with or without `/v1`; its query is kept.
 * Throws AppError `invalid_value`.
 */
export function addressOf({ name, baseUrl = "" }: ProviderSettings): (path: string) => string {
  if (!URL.canParse(baseUrl)) {
    throw new AppError({
      code: "invalid_value",
      message: `${name} needs a base_url, such as https://api.anthropic.com/v1.`,
      param: "base_url",
    });
  }
  const base = new URL(baseUrl).pathname.replace(/\/+$/, "");
  const prefix = base.endsWith("/v1") ? base : `${base}/v1`;
  return (path) => {
    const address = new URL(baseUrl);
    const [pathname = "", query = ""] = path.split("?");
    address.pathname = prefix + pathname;
    for (const [field, value] of new URLSearchParams(query)) address.searchParams.set(field, value);
    return address.href;
  };
}

/** The headers of every request, lower-case; the person's own win. */
export function headersOf({ apiKey = "", headers }: ProviderSettings): Readonly<Record<string, string>> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    "content-type": "application/json",
    "anthropic-version": version,
    ...(apiKey === "" ? {} : { "x-api-key": apiKey }),
    ...(Object.fromEntries(own) as Record<string, string>),
  };
}
