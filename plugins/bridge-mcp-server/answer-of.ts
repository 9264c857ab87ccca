import type { EndpointAnswer } from "@pergola/sdk";

/** A body as text, piece by piece; its source is told when the client has gone, even while nothing comes. */
async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncIterable<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", leave, { once: true });
  try {
    if (signal.aborted) return;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      yield decoder.decode(piece.value, { stream: true });
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** What the protocol's own transport answered, as an endpoint's answer. */
export async function answerOf(response: Response, signal: AbortSignal): Promise<EndpointAnswer> {
  const { status, headers: sent, body } = response;
  const { "content-type": contentType = "application/json; charset=utf-8", ...headers } =
    Object.fromEntries(sent);
  const isStream = contentType.startsWith("text/event-stream") && body !== null;
  if (!isStream) return { status, headers, contentType, text: await response.text() };
  return {
    status,
    headers: { ...headers, "x-accel-buffering": "no" },
    contentType,
    chunks: piecesOf(body, signal),
  };
}
