import { send, pathOf, ApiError } from "./api.ts";
import { noteSuccess, waitForNextTry } from "./online.ts";
import { EventSplitter, type StreamEvent } from "./read-events.ts";

/** Three pings that did not come. */
const silence = 50_000;

async function readOnce(
  runId: string,
  after: number,
  take: (event: StreamEvent) => void,
  stop: AbortSignal,
): Promise<void> {
  const leave = new AbortController();
  stop.addEventListener("abort", () => leave.abort(), { once: true });
  const path = pathOf(["api", "runs", runId, "events"], { after: after || undefined, merge: true });
  let timer = setTimeout(() => leave.abort(), silence);
  try {
    const response = await send(path, { signal: leave.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const splitter = new EventSplitter();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(() => leave.abort(), silence);
      noteSuccess();
      for (const event of splitter.push(value)) take(event);
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a run's events from the first, over lost connections and restarts of the service, to the run's end.
 * Rejects with ApiError where the run cannot be read.
 */
export async function followRun(
  runId: string,
  take: (event: StreamEvent) => void,
  stop: AbortSignal,
): Promise<void> {
  let [after, ended] = [0, false];
  const note = (event: StreamEvent): void => {
    after = Number(event.id) || after;
    ended ||= event.event === "end";
    take(event);
  };
  while (!stop.aborted) {
    const failure = await readOnce(runId, after, note, stop).catch((error: unknown) => error);
    if (ended || stop.aborted) return;
    if (failure instanceof ApiError && failure.status < 500 && failure.status !== 429) throw failure;
    await waitForNextTry();
  }
}
