import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError, send } from "./api.ts";
import { noteSuccess } from "./online.ts";

/** Three pings that did not come. */
const silence = 50_000;

/** Whether asking again would get the same answer. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** The events of a stream until it ends, `stop` is aborted, or nothing comes. Throws as `send` does. */
export async function* eventsOf(stop: AbortSignal, path: string): AsyncGenerator<EventSourceMessage> {
  const leave = new AbortController();
  const end = (): void => leave.abort();
  stop.addEventListener("abort", end, { signal: leave.signal });
  addEventListener("offline", end, { signal: leave.signal });
  let timer = setTimeout(end, silence);
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => found.push(event) });
  try {
    const { body } = await send(path, { signal: leave.signal });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(end, silence);
      noteSuccess();
      parser.feed(value);
      yield* found.splice(0);
    }
  } finally {
    clearTimeout(timer);
    end();
  }
}
