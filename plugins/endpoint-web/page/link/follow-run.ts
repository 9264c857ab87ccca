import { createParser, type EventSourceMessage } from "eventsource-parser";
import { send, pathOf, ApiError } from "./api.ts";
import { noteSuccess, waitForNextTry } from "./online.ts";
import type { Run } from "./wire.ts";

/** Three pings that did not come. */
const silence = 50_000;

async function readOnce(
  runId: string,
  take: (event: EventSourceMessage) => void,
  stop: AbortSignal,
): Promise<void> {
  const leave = new AbortController();
  stop.addEventListener("abort", () => leave.abort(), { once: true });
  const path = pathOf(["api", "runs", runId, "events"], { merge: true });
  let timer = setTimeout(() => leave.abort(), silence);
  try {
    const response = await send(path, { signal: leave.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = createParser({ onEvent: take });
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => leave.abort(), silence);
      noteSuccess();
      parser.feed(value);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Who draws a run: `begin` comes before the first event, and again when all events are told anew. */
interface Follower {
  readonly begin: () => void;
  readonly take: (event: EventSourceMessage) => void;
}

/**
 * Reads a run's events over lost connections, from the first each time: a start of the service may have given
 * numbers anew. Resolves at the run's end, and with false where the service has left it interrupted. Rejects
 * with ApiError where the run cannot be read.
 */
export async function followRun(
  runId: string,
  { begin, take }: Follower,
  stop: AbortSignal,
): Promise<boolean> {
  let [hasEnded, isLeft] = [false, false];
  const note = (event: EventSourceMessage): void => {
    hasEnded ||= event.event === "end";
    if (event.event === "state") isLeft = (JSON.parse(event.data) as Run).status === "interrupted";
    take(event);
  };
  for (;;) {
    begin();
    const failure = await readOnce(runId, note, stop).catch((error: unknown) => error);
    if (hasEnded || isLeft || stop.aborted) return hasEnded;
    if (failure instanceof ApiError && failure.status < 500 && failure.status !== 429) throw failure;
    await waitForNextTry();
  }
}
