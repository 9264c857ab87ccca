import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { ToolError, type FetchInit, type ToolContext } from "@pergola/sdk";
import type { Agent, buildConnector, Dispatcher } from "undici";
import { guardedConnector, publicAddresses } from "./addresses.ts";

export interface FetchOptions {
  /** What the plugin's manifest names. */
  readonly hosts: readonly string[] | "any";
  /** `host` or `host:port`: may have a private address, and may do without TLS. */
  privateHosts(): readonly string[];
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction;
}

interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

const decoders: Readonly<Record<string, (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** All that another host than the first one gets to see: no key travels with a redirect. */
const harmless = new Set(["accept", "accept-language", "content-type", "user-agent"]);

const redirects = new Set([301, 302, 303, 307, 308]);

const failed = (code: string, message: string, hint = "", cause?: unknown): ToolError => new ToolError(code, message, { hint, cause });

function isPrivateHost(url: URL, { privateHosts }: FetchOptions): boolean {
  const port = url.port === "" ? { "http:": "80", "https:": "443" }[url.protocol] : url.port;
  return [url.hostname, `${url.hostname}:${port}`].some((host) => privateHosts().includes(host));
}

/**
 * The address that is really asked: https, also when http was said. A private host on the list may stay without TLS, since such hosts
 * mostly have no certificate, unless its port is 443.
 */
export function checkUrl(text: string, options: FetchOptions, from?: URL): URL {
  const url = URL.canParse(text, from?.href) ? new URL(text, from?.href) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.hostname.endsWith("."))
    throw failed("invalid_value", "The URL is not a complete http or https address.", "Give it as https://host/path.");
  if (url.username + url.password !== "") throw failed("invalid_value", "A URL must not hold a user name or password.", "Leave them out.");
  if (options.hosts !== "any" && !options.hosts.includes(url.hostname))
    throw failed("permission_denied", `The plugin may not call ${url.hostname}.`);
  if (url.protocol === "http:" && (url.port === "443" || !isPrivateHost(url, options))) url.protocol = "https:";
  return url;
}

/** A redirect's next request, as browsers make it. */
function follow({ url, method, headers, body }: Hop, status: number, next: URL): Hop {
  const isGet = method !== "HEAD" && (status === 303 || (status < 303 && method === "POST"));
  const kept = Object.entries(headers).filter(([name]) => next.host === url.host || harmless.has(name));
  return { url: next, method: isGet ? "GET" : method, headers: Object.fromEntries(kept), body: isGet ? null : body };
}

/** The whole body, unpacked; neither what comes nor what it unpacks to may be larger than `maxBytes`. */
async function readBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    size += piece.length;
    if (size > maxBytes) throw Object.assign(new Error(), { code: "ERR_BUFFER_TOO_LARGE" });
  }
  let bytes: Buffer = Buffer.concat(pieces);
  for (const encoding of String(headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(/\s*,\s*/)
    .slice(-3)
    .reverse())
    if (bytes.length > 0) bytes = (await decoders[encoding]?.(bytes, { maxOutputLength: maxBytes })) ?? bytes;
  return bytes;
}

async function responseOf(answer: Dispatcher.ResponseData, url: URL, maxBytes: number): Promise<Response> {
  const { statusCode: status, headers } = answer;
  const bytes = await readBody(answer, maxBytes);
  const shown = Object.entries(headers).filter(([name]) => name !== "content-encoding" && name !== "content-length");
  const pairs = shown.flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
  const response = new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: pairs });
  return Object.defineProperty(response, "url", { value: url.href });
}

function explain(error: unknown, signal: AbortSignal, maxBytes: number): ToolError {
  const cause = signal.aborted ? signal.reason : error;
  if (ToolError.is(cause)) return cause;
  if (signal.aborted) return failed("cancelled", "The request was cancelled.", "", cause);
  const { code = "unknown cause" } = error as NodeJS.ErrnoException;
  if (code === "ERR_BUFFER_TOO_LARGE")
    return failed("network_error", `The answer is larger than ${maxBytes} bytes.`, "A retry makes no sense.", cause);
  if (code.includes("TIMEOUT")) return failed("timeout", "The host did not answer in time.", "A retry may help.", cause);
  return failed(
    "network_error",
    `The request failed (${code}).`,
    code === "ENOTFOUND" ? "Check the host's name." : "A retry may help.",
    cause,
  );
}

async function openAgent(options: FetchOptions): Promise<Agent> {
  const { Agent } = await import("undici");
  const [strict, free] = [
    await guardedConnector(await publicAddresses(), options.lookup),
    await guardedConnector(() => true, options.lookup),
  ];
  const connect: buildConnector.connector = (to, done) => {
    const url = new URL(`${to.protocol}//${to.host}`);
    return (isPrivateHost(url, options) ? free : strict)(to, done);
  };
  return new Agent({ connect, headersTimeout: 30_000, bodyTimeout: 60_000 });
}

/**
 * A tool's way to the web: https, public addresses, at most 5 redirects that are each checked anew, no cookies. The answer is complete
 * when it is returned. Throws ToolError `invalid_value`, `permission_denied`, `network_error`, `timeout` or `cancelled`.
 */
export const createFetch =
  (options: FetchOptions): ToolContext["fetch"] =>
  async (text, { method = "GET", headers = {}, body = null, signal: own, maxBytes = 10_485_760, timeoutSeconds = 60 }: FetchInit = {}) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(failed("timeout", `No answer within ${timeoutSeconds} s.`, "A retry may help.")),
      timeoutSeconds * 1000,
    );
    const signal = AbortSignal.any([options.signal, late.signal, ...(own === undefined ? [] : [own])]);
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    let agent: Agent | undefined;
    try {
      let hop: Hop = {
        url: checkUrl(text, options),
        method: method.toUpperCase(),
        headers: { "accept-encoding": "gzip, deflate, br", ...Object.fromEntries(lowerCase) },
        body,
      };
      agent = await openAgent(options);
      for (let hops = 0; hops <= 5; hops += 1) {
        const answer = await agent.request({
          ...hop,
          origin: hop.url.origin,
          path: hop.url.pathname + hop.url.search,
          method: hop.method as "GET",
          signal,
        });
        const next = redirects.has(answer.statusCode) ? answer.headers["location"] : undefined;
        if (typeof next !== "string") return await responseOf(answer, hop.url, maxBytes);
        answer.body.dump().catch(() => undefined);
        hop = follow(hop, answer.statusCode, checkUrl(next, options, hop.url));
      }
      throw failed("network_error", "The address redirects more than 5 times.", "A retry makes no sense.");
    } catch (error) {
      throw explain(error, signal, maxBytes);
    } finally {
      clearTimeout(timer);
      await agent?.destroy();
    }
  };
