import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { isOwnAddress, privateAddresses, publicAddresses, type Accepts } from "@pergola/kit-addresses";
import { ToolError, type FetchInit, type ToolContext } from "@pergola/sdk";
import type { Agent, Dispatcher } from "undici";
import { guardedConnector } from "./guarded-connector.ts";
import { loadUndici } from "./load-undici.ts";
import { readAll } from "./read-all.ts";

export interface FetchOptions {
  /** What the plugin's manifest names. */
  readonly hosts: readonly string[] | "any";
  /** Of services that the operator named: may have a private address, and may do without TLS. */
  readonly origins?: readonly string[];
  /** `host` or `host:port`: may have a private address, and may do without TLS. */
  readonly privateHosts: () => readonly string[];
  /** Where this service listens on this computer: never asked, listed or not. */
  readonly ownPorts?: () => readonly number[];
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction;
}

export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

const redirects = new Set([301, 302, 303, 307, 308]);
export const lowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The headers that another origin gets: no key travels with a redirect. */
const harmless = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "if-range",
  "range",
  "user-agent",
]);
const unzip = promisify(gunzip);
const decoders = new Map(
  Object.entries({
    gzip: unzip,
    "x-gzip": unzip,
    deflate: promisify(inflate),
    br: promisify(brotliDecompress),
  }),
);

const failed = (code: string, message: string, hint = "", cause?: unknown): ToolError =>
  new ToolError(code, message, { hint, cause });

function isPrivateHost(
  { origin, protocol, hostname, port }: URL,
  { privateHosts, origins = [] }: FetchOptions,
): boolean {
  if (origins.includes(origin)) return true;
  const usual = protocol === "http:" ? "80" : "443";
  return privateHosts().some((host) =>
    [hostname, `${hostname}:${port || usual}`].includes(host.toLowerCase()),
  );
}

/** A complete http or https URL without credentials. Throws ToolError `invalid_value`. */
function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) && new URL(text, base?.href);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname.endsWith("."))
    throw failed(
      "invalid_value",
      "The URL is not a complete http or https address.",
      "Give it as https://host/path.",
    );
  if (url.username + url.password !== "")
    throw failed("invalid_value", "A URL must not hold a user name or password.", "Leave them out.");
  return url;
}

const mayCall = ({ hostname, origin }: URL, { hosts, origins = [] }: FetchOptions): boolean =>
  hosts === "any" || hosts.includes(hostname) || origins.includes(origin);

/**
 * The address that is really asked: https, also when http was said. A private host on the list may stay
 * without TLS, since such hosts mostly have no certificate, unless its port is 443.
 */
export function checkUrl(text: string, options: FetchOptions, from?: URL): URL {
  const url = parseUrl(text, from);
  if (!mayCall(url, options)) throw failed("permission_denied", `The plugin may not call ${url.hostname}.`);
  if (url.protocol === "http:" && (url.port === "443" || !isPrivateHost(url, options)))
    url.protocol = "https:";
  return url;
}

/** Whether credentials may travel with a redirect: to the same host, and never from https to clear text. */
const keepsCredentials = (from: URL, to: URL): boolean =>
  to.host === from.host && (to.protocol === "https:" || from.protocol === "http:");

function headersFor(from: URL, to: URL, headers: Hop["headers"]): Hop["headers"] {
  if (keepsCredentials(from, to)) return headers;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}

/** A redirect's next request, as browsers make it. */
function follow({ url: from, ...request }: Hop, status: number, url: URL): Hop {
  const { method } = request;
  const headers = headersFor(from, url, request.headers);
  const isGet = method !== "HEAD" && (status === 303 || (status < 303 && method === "POST"));
  if (isGet) return { url, method: "GET", headers, body: null };
  return { ...request, url, headers };
}

/** The complete answer; neither the packed nor the unpacked body may be larger than `maxBytes`. */
async function responseOf(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): Promise<Response> {
  const tooLarge = (): Error => Object.assign(new Error(), { code: "ERR_BUFFER_TOO_LARGE" });
  let bytes = await readAll(body, maxBytes, tooLarge);
  const encodings = String(headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(/\s*,\s*/);
  if (bytes.length > 0)
    for (const encoding of encodings.slice(-3).reverse())
      bytes = (await decoders.get(encoding)?.(bytes, { maxOutputLength: maxBytes })) ?? bytes;
  const pairs = Object.entries(headers)
    .filter(([name]) => name !== "content-encoding" && name !== "content-length")
    .flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));
  const response = new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: pairs });
  return Object.defineProperty(response, "url", { value: url.href });
}

export function explain(error: unknown, signal: AbortSignal): ToolError {
  const cause: unknown = signal.aborted ? signal.reason : error;
  if (ToolError.is(cause)) return cause;
  if (signal.aborted) return failed("cancelled", "The request was cancelled.", "", cause);
  const { code = "unknown cause" } = error as NodeJS.ErrnoException;
  if (code === "ERR_BUFFER_TOO_LARGE")
    return failed("network_error", "The answer is too large.", "A retry makes no sense.", cause);
  if (code.includes("TIMEOUT"))
    return failed("timeout", "The host did not answer in time.", "A retry may help.", cause);
  const hint = code === "ENOTFOUND" ? "Check the host's name." : "A retry may help.";
  return failed("network_error", `The request failed (${code}).`, hint, cause);
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === "http:" ? 80 : 443));

/** For accepted addresses; `elsewhere` for those of them that are not this computer's own. */
function connectorsFor(accepts: Accepts, { lookup }: FetchOptions) {
  const usual = guardedConnector(accepts, lookup);
  const elsewhere = guardedConnector((one) => accepts(one) && !isOwnAddress(one), lookup);
  return { usual, elsewhere };
}

/** Milliseconds. Without TLS a configured service is asked on this machine and on private networks only. */
export async function openAgent(
  options: FetchOptions,
  headersTimeout: number,
  bodyTimeout = headersTimeout,
): Promise<Agent> {
  const isPublic = await publicAddresses();
  const strict = connectorsFor(isPublic, options);
  const near = connectorsFor(await privateAddresses(), options);
  const free = connectorsFor(() => true, options);
  const connectorsOf = (url: URL) => {
    if (!isPrivateHost(url, options)) return strict;
    if (url.protocol === "http:" && options.origins?.includes(url.origin) === true) return near;
    return free;
  };
  const connectorOf = (url: URL) => {
    const { usual, elsewhere } = connectorsOf(url);
    return options.ownPorts?.().includes(portOf(url)) === true ? elsewhere : usual;
  };
  return new (loadUndici("Agent"))({
    connect: (to, done) => connectorOf(new URL(`${to.protocol}//${to.host}`))(to, done),
    headersTimeout,
    bodyTimeout,
  });
}

interface Followed {
  readonly answer: Dispatcher.ResponseData;
  readonly url: URL;
}

/** The first answer that redirects no further, its body unread. */
export async function followAll(
  first: Hop,
  agent: Dispatcher,
  options: FetchOptions,
  most = 5,
): Promise<Followed> {
  let hop = first;
  for (let hops = 0; hops <= most; hops += 1) {
    const { url, ...request } = hop;
    const answer = await agent.request({
      ...request,
      origin: url.origin,
      path: url.pathname + url.search,
      signal: options.signal,
    });
    const { location } = answer.headers;
    if (most === 0 || !redirects.has(answer.statusCode) || typeof location !== "string")
      return { answer, url };
    answer.body.dump().catch(() => undefined);
    hop = follow(hop, answer.statusCode, checkUrl(location, options, url));
  }
  throw failed("network_error", "The address redirects more than 5 times.", "A retry makes no sense.");
}

/**
 * A tool's way to the web: https, public addresses, at most 5 redirects that are each checked anew, no
 * cookies. The answer is complete when it is returned. Throws ToolError `invalid_value`, `permission_denied`,
 * `network_error`, `timeout` or `cancelled`.
 */
export const createFetch =
  (options: FetchOptions): ToolContext["fetch"] =>
  async (
    text,
    {
      method = "GET",
      headers = {},
      body,
      signal: own,
      maxBytes = 10_485_760,
      timeoutSeconds = 60,
      redirect,
    }: FetchInit = {},
  ) => {
    const late = new AbortController();
    const expire = (): void =>
      late.abort(failed("timeout", `No answer within ${timeoutSeconds} s.`, "A retry may help."));
    const timer = setTimeout(expire, timeoutSeconds * 1000);
    const signals = [options.signal, late.signal, own].filter((one) => one !== undefined);
    const signal = AbortSignal.any(signals);
    let agent: Agent | undefined;
    try {
      const url = checkUrl(text, options);
      agent = await openAgent(options, timeoutSeconds * 1000);
      const first = {
        url,
        method: method.toUpperCase(),
        headers: { "accept-encoding": "gzip, deflate, br", ...lowerCaseNames(headers) },
        body: body ?? null,
      };
      const mostHops = redirect === "manual" ? 0 : 5;
      const { answer, url: last } = await followAll(first, agent, { ...options, signal }, mostHops);
      return await responseOf(answer, last, maxBytes);
    } catch (error) {
      throw explain(error, signal);
    } finally {
      clearTimeout(timer);
      await agent?.destroy();
    }
  };
