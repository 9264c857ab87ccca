import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EndpointAnswer, ServerEvent } from "@pergola/sdk";
import type { Limits } from "./options.ts";

/** `pingSeconds` of silence, and a stream of events gets a comment. */
type SendOptions = { readonly signal: AbortSignal; readonly limits: Limits; readonly pingSeconds: number };

const eventHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache",
  "X-Accel-Buffering": "no",
};
const oneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text);

/**
 * An event on the wire. A line break in a field could forge another event; in JSON text it means no more than
 * a space.
 */
function eventText({ data, id, event }: ServerEvent): string {
  const names = `${id === undefined ? "" : `id: ${oneLine(id)}\n`}${event === undefined ? "" : `event: ${oneLine(event)}\n`}`;
  return `${names}data: ${oneLine(data)}\n\n`;
}

/** Waits for a client that is behind. One that takes nothing for too long, or leaves too much, is cut off. */
async function drained(response: ServerResponse, { signal, limits }: SendOptions): Promise<void> {
  if (response.writableLength > limits.unsentBytes) response.destroy();
  response.socket?.setTimeout(limits.stalledReader);
  await once(response, "drain", { signal });
  response.socket?.setTimeout(0);
}

/**
 * Texts as they come, at the client's pace; node writes those of one tick together. When the client goes, the
 * source is told to return.
 */
async function sendAll<T>(
  response: ServerResponse,
  source: AsyncIterable<T>,
  text: (piece: T) => string,
  options: SendOptions,
) {
  if (response.req.method === "HEAD") return void response.end();
  const iterator = source[Symbol.asyncIterator]();
  const comment = (): unknown => response.writableNeedDrain || response.write(": ping\n\n");
  const ping = options.pingSeconds > 0 ? setInterval(comment, options.pingSeconds * 1000) : undefined;
  response.on("close", () => clearInterval(ping));
  response.on("close", () => response.writableFinished || void iterator.return?.().catch(() => {}));
  process.nextTick(() => response.flushHeaders());
  for (
    let next = await iterator.next();
    next.done !== true && !response.destroyed;
    next = await iterator.next()
  ) {
    if (!response.write(text(next.value))) await drained(response, options);
    ping?.refresh();
  }
  clearInterval(ping);
  response.socket?.setTimeout(options.limits.stalledReader);
  response.end();
}

/**
 * Sends what an endpoint answered; to HEAD the headers only. Rejects when it cannot be put into JSON, or when
 * its source fails.
 */
export async function sendAnswer(
  answer: EndpointAnswer,
  response: ServerResponse,
  options: SendOptions,
): Promise<void> {
  if (response.destroyed) return;
  const { headers } = answer;
  if ("events" in answer)
    return sendAll(
      response.writeHead(200, { ...headers, ...eventHeaders }),
      answer.events,
      eventText,
      options,
    );
  const text =
    "text" in answer ? answer.text : "body" in answer ? (JSON.stringify(answer.body) ?? "") : undefined;
  const type = "contentType" in answer ? answer.contentType : "application/json; charset=utf-8";
  const length = text === undefined ? {} : { "Content-Length": Buffer.byteLength(text) };
  response.writeHead(answer.status ?? 200, { ...headers, "Content-Type": type, ...length });
  if ("chunks" in answer) return sendAll(response, answer.chunks, String, { ...options, pingSeconds: 0 });
  response.socket?.setTimeout(options.limits.stalledReader);
  response.end(text);
}
