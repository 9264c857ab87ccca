import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { ToolError } from "@pergola/sdk";
import { isPrivateAddress } from "./private-addresses.ts";

export interface ServiceRequest {
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes of the answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Default: the system's. */
  readonly lookup?: LookupFunction;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

const plainRefused = "Plain http is for this machine and private networks.";

/** What a name leads to, without public addresses: the connection goes to what is left, so the name cannot change its mind. */
const privateOnly =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const kept = [found].flat().filter((one) => typeof one === "object" && isPrivateAddress(one.address)) as LookupAddress[];
      done(error ?? (kept.length === 0 ? new ToolError("permission_denied", plainRefused) : null), kept);
    });

function explain(error: unknown, signal: AbortSignal): ToolError {
  const cause: unknown = signal.aborted ? signal.reason : error;
  if (ToolError.is(cause)) return cause;
  const { name = "", code = "unknown cause" } = cause as NodeJS.ErrnoException;
  if (name === "TimeoutError")
    return new ToolError("timeout", "The image service did not answer in time.", { hint: "A retry may help.", cause });
  if (signal.aborted) return new ToolError("cancelled", "The request was cancelled.", { cause });
  const hint = "Tell the person to check that it runs; then a retry makes sense.";
  return new ToolError("network_error", `The image service cannot be reached (${code}).`, { hint, cause });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes)
      throw new ToolError("network_error", "The image service sent more than is accepted.", { hint: "Ask for smaller or fewer images." });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function send(url: URL, { method = "GET", headers, body, signal, lookup = systemLookup }: ServiceRequest): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isPlain = url.protocol === "http:";
  if (isPlain && isIP(host) !== 0 && !isPrivateAddress(host)) throw new ToolError("permission_denied", plainRefused);
  const { request } = isPlain ? await import("node:http") : await import("node:https");
  const options: RequestOptions = { method, headers, signal, agent: false, ...(isPlain ? { lookup: privateOnly(lookup) } : {}) };
  return new Promise((resolve, reject) => request(url, options, resolve).on("error", reject).end(body));
}

/**
 * One request to the image service, whose address the person has set; therefore it may be on this machine. Redirects are not followed. The
 * answer is complete. Throws ToolError `network_error`, `permission_denied`, `timeout` or `cancelled`.
 */
export async function askService(url: URL, request: ServiceRequest): Promise<ServiceAnswer> {
  try {
    const response = await send(url, request);
    const bytes = await readBody(response, request.maxBytes).finally(() => response.destroy());
    return { status: response.statusCode ?? 0, bytes };
  } catch (error) {
    throw explain(error, request.signal);
  }
}
