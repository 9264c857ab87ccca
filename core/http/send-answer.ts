import { once } from "node:events";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { EndpointAnswer, ServerEvent } from "@pergola/sdk";
import { guardPage } from "./answer-headers.ts";
import type { Limits } from "./options.ts";
import type { Unsent } from "./unsent.ts";

interface SendOptions {
  readonly signal: AbortSignal;
  readonly limits: Limits;
  /** After so many seconds of silence a stream gets its ping. */
  readonly pingSeconds: number;
  readonly unsent: Unsent;
}

const eventHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
};
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, " ");

/** An event on the wire. A line break in a field could forge another event; in JSON it equals a space. */
function eventText({ data, id, event }: ServerEvent): string {
  let text = "";
  if (id !== undefined) text += `id: ${oneLine(id)}\n`;
  if (event !== undefined) text += `event: ${oneLine(event)}\n`;
  return `${text}data: ${oneLine(data)}\n\n`;
}

/** Waits for a slow client. One that reads nothing for too long is cut off. */
async function waitForDrain(
  response: ServerResponse,
  { signal, limits, unsent }: SendOptions,
): Promise<void> {
  unsent.add(response);
  response.socket?.setTimeout(limits.stalledReader);
  await once(response, "drain", { signal });
  response.socket?.setTimeout(0);
}

/** Writes the text at each interval, unless the client is behind. */
function startPing(response: ServerResponse, text: string, seconds: number): NodeJS.Timeout | undefined {
  if (text === "" || seconds <= 0) return undefined;
  const ping = (): unknown => response.writableNeedDrain || response.write(text);
  return setInterval(ping, seconds * 1000);
}

interface Pieces<T> {
  readonly source: AsyncIterable<T>;
  readonly text: (piece: T) => string | Uint8Array;
  readonly ping?: string | undefined;
}

/**
 * Sends texts as they arrive, at the client's pace; node writes those of one tick together. When the client
 * disconnects, the source is closed.
 */
async function sendAll<T>(
  response: ServerResponse,
  { source, text, ping: pingText = "" }: Pieces<T>,
  options: SendOptions,
) {
  if (response.req.method === "HEAD") return void response.end();
  const iterator = source[Symbol.asyncIterator]();
  const ping = startPing(response, pingText, options.pingSeconds);
  response.on("close", () => clearInterval(ping));
  response.on("close", () => response.writableFinished || void iterator.return?.().catch(() => {}));
  process.nextTick(() => response.flushHeaders());
  for (
    let next = await iterator.next();
    next.done !== true && !response.destroyed;
    next = await iterator.next()
  ) {
    if (!response.write(text(next.value))) await waitForDrain(response, options);
    ping?.refresh();
  }
  clearInterval(ping);
  response.socket?.setTimeout(options.limits.stalledReader);
  response.end();
}

/** An answer that is sent in one piece. */
function wholeOf(answer: EndpointAnswer): string | Uint8Array | undefined {
  if ("text" in answer) return answer.text;
  if ("bytes" in answer) return answer.bytes;
  if ("body" in answer) return JSON.stringify(answer.body) ?? "";
  return undefined;
}

/** A 304 says nothing of the policy: what it says would take the place of that of the page it stands for. */
function sendHead(
  { status, headers }: Extract<EndpointAnswer, { isEmpty: true }>,
  response: ServerResponse,
): void {
  if (status === 304) response.removeHeader("Content-Security-Policy");
  response.writeHead(status, headers).end();
}

/**
 * Sends an endpoint's answer; to HEAD the headers only. Rejects if the body cannot be serialized or its
 * source fails.
 */
export async function sendAnswer(
  answer: EndpointAnswer,
  response: ServerResponse,
  options: SendOptions,
): Promise<void> {
  if (response.destroyed) return;
  const { headers } = answer;
  if ("events" in answer) {
    response.writeHead(200, { ...headers, ...eventHeaders });
    return sendAll(response, { source: answer.events, text: eventText, ping: ": ping\n\n" }, options);
  }
  if ("isEmpty" in answer) return sendHead(answer, response);
  const whole = wholeOf(answer);
  const type = "contentType" in answer ? answer.contentType : "application/json; charset=utf-8";
  const sent: OutgoingHttpHeaders = { ...headers, "Content-Type": type };
  guardPage(response, type);
  if (whole !== undefined) sent["Content-Length"] = Buffer.byteLength(whole);
  response.writeHead(answer.status ?? 200, sent);
  if ("chunks" in answer)
    return sendAll(response, { source: answer.chunks, text: String, ping: answer.ping }, options);
  if ("pieces" in answer)
    return sendAll(response, { source: answer.pieces, text: (piece) => piece }, options);
  response.socket?.setTimeout(options.limits.stalledReader);
  response.end(whole);
  options.unsent.add(response);
}
