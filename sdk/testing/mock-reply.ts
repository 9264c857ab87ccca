import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

/** A piece of an answer's body, or what happens between two pieces. */
export type MockPiece =
  | string
  | Uint8Array
  | { readonly delayMs: number }
  /** What comes next waits for it. */
  | { readonly until: Promise<unknown> }
  /** Sends the headers without any body yet; otherwise they go out with the first text. */
  | { readonly flush: true }
  /** Nothing more comes, and the connection stays open. First in the body: not even headers come. */
  | { readonly hang: true }
  /** The connection is torn down. */
  | { readonly reset: true };

export interface MockReply {
  /** Default 200. */
  readonly status?: number;
  /** Default: `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly MockPiece[];
}

const isBytes = (piece: MockPiece): piece is string | Uint8Array =>
  typeof piece === "string" || piece instanceof Uint8Array;

/** Writes a reply piece by piece; false when the reply hangs or the connection ended before it was whole. */
export async function sendReply(reply: MockReply, response: ServerResponse): Promise<boolean> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  response.writeHead(reply.status ?? 200, {
    "content-type": "text/event-stream; charset=utf-8",
    ...reply.headers,
  });
  for (const piece of reply.body) {
    if (response.destroyed) return false;
    if (isBytes(piece)) response.write(piece);
    else if ("delayMs" in piece)
      await setTimeout(piece.delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
    else if ("until" in piece) await piece.until;
    else if ("flush" in piece) response.flushHeaders();
    else if ("hang" in piece) return false;
    else {
      response.destroy();
      return false;
    }
  }
  response.end();
  return true;
}

const bytesOf = ({ body }: MockReply): Buffer =>
  Buffer.concat(body.filter(isBytes).map((piece) => Buffer.from(piece)));

/** A reply of one JSON value. */
export const jsonReply = (value: unknown, overrides: Partial<Omit<MockReply, "body">> = {}): MockReply => ({
  ...overrides,
  headers: { "content-type": "application/json", ...overrides.headers },
  body: [JSON.stringify(value)],
});

/** The same reply torn down after so many bytes of its body. */
export const cutReply = (reply: MockReply, offset: number): MockReply => ({
  ...reply,
  body: [{ flush: true }, bytesOf(reply).subarray(0, offset), { delayMs: 5 }, { reset: true }],
});

/** The same reply with its body sent in two writes. */
export function splitReply(reply: MockReply, offset: number): MockReply {
  const bytes = bytesOf(reply);
  return {
    ...reply,
    body: [{ flush: true }, bytes.subarray(0, offset), { delayMs: 5 }, bytes.subarray(offset)],
  };
}
