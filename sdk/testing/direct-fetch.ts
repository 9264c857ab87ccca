import { request as plain, type IncomingMessage } from "node:http";
import { request as secure } from "node:https";
import type { ProviderFetch, ProviderResponse } from "@pergola/sdk";

const textLimit = 10 * 1024 * 1024;

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > textLimit) throw new Error("The body is larger than 10 MiB.");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const responseOf = (message: IncomingMessage): ProviderResponse => ({
  status: message.statusCode ?? 0,
  header: (name) => {
    const value = message.headers[name.toLowerCase()];
    return typeof value === "object" ? value.join(", ") : value;
  },
  body: message,
  text: () => readText(message),
});

/**
 * A `ProviderFetch` without the host's checks, for tests against servers on loopback: follows no redirect,
 * has no time limit.
 */
export const directFetch: ProviderFetch = (url, { method = "GET", headers = {}, body, signal }) =>
  new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? secure : plain;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = send(url, { method, headers: { ...headers, ...length } });
    const abort = (): void => {
      reject(signal?.reason);
      request.destroy();
    };
    signal?.addEventListener("abort", abort, { once: true });
    request
      .on("response", (message) => resolve(responseOf(message)))
      .on("error", reject)
      .on("close", () => signal?.removeEventListener("abort", abort))
      .end(body);
    if (signal?.aborted === true) abort();
  });
