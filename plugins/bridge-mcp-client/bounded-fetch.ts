import { longestMessage } from "./guarded-messages.ts";

const encoder = new TextEncoder();
const eventEnds = ["\n\n", "\r\n\r\n", "\r\r"].map((end) => Buffer.from(encoder.encode(end)));

/**
 * Tells whether a message grows too long, by the pieces of its body as they come; a body without events is
 * one message.
 */
function lengthCheck(isEvents: boolean): (piece: Uint8Array) => void {
  let length = 0;
  return (piece) => {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const last = isEvents ? Math.max(...eventEnds.map((end) => bytes.lastIndexOf(end))) : -1;
    length = last < 0 ? length + piece.length : piece.length - last;
    if (length > longestMessage) throw new Error("The server sent a message that is too long.");
  };
}

/** A body whose pieces are checked; `ended` is called once nothing more of it is read. */
function checkedBody(
  body: ReadableStream<Uint8Array>,
  check: (piece: Uint8Array) => void,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cancel = async (reason: unknown): Promise<void> => {
    ended();
    await reader.cancel(reason);
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        check(value);
        return controller.enqueue(value);
      }
      controller.close();
      ended();
    } catch (error) {
      controller.error(error);
      await cancel(error);
    }
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/**
 * A signal for one request, aborted with the given one until `leave` is called. That of a connection outlives
 * its requests, and `fetch` takes what it adds to a signal away only with the garbage.
 */
function follow(signal: AbortSignal | null | undefined) {
  const own = new AbortController();
  const abort = (): void => own.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return { signal: own.signal, leave: () => signal?.removeEventListener("abort", abort) };
}

/**
 * Asks the named server and no other: no redirect takes the headers elsewhere. Rejects for a redirect; the
 * body fails where a message in it is too long.
 */
export async function boundedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const { signal, leave } = follow(init.signal);
  try {
    const response = await fetch(url, { ...init, signal, redirect: "manual" });
    const { status, statusText, headers, body } = response;
    if (status >= 300 && status < 400) {
      await body?.cancel();
      throw new Error("The server sends elsewhere; name the right address in mcp.servers.");
    }
    if (body !== null) {
      const isEvents = (headers.get("content-type") ?? "").includes("text/event-stream");
      const checked = checkedBody(body, lengthCheck(isEvents), leave);
      return new Response(checked, { status, statusText, headers });
    }
    leave();
    return response;
  } catch (error) {
    leave();
    throw error;
  }
}
