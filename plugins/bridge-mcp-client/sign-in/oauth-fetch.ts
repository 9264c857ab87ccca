import type { FetchLike } from "@modelcontextprotocol/client";
import type { Doors } from "@pergola/sdk/host";

interface Reach {
  readonly doors: () => Doors;
  readonly dataDirectory: string;
  /** The server's own, which the person has named: it may be a private one. */
  readonly origin: string;
}

const [maxBytes, timeoutSeconds] = [1_048_576, 10];

const textOf = (body: RequestInit["body"]): string | undefined => {
  if (typeof body === "string") return body;
  return body instanceof URLSearchParams ? body.toString() : undefined;
};

/**
 * Asks whoever issues a server's tokens, by the rules of all requests to addresses that come from outside:
 * no private address but the server's own, no redirect to another origin, a short answer in a short time.
 */
export const oauthFetch =
  ({ doors, dataDirectory, origin }: Reach): FetchLike =>
  async (url, { method = "GET", headers, body } = {}) => {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const configured = { folders: [], origins: [origin] };
    const fetch = doors().fetch({
      workingDirectory: dataDirectory,
      signal,
      paths: [],
      configured,
      hosts: "any",
    });
    const text = textOf(body);
    return fetch(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(text !== undefined && { body: text }),
      maxBytes,
      timeoutSeconds,
      redirect: "manual",
    });
  };
