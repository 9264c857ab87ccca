import { signal } from "@preact/signals";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError, pathOf, send } from "./api.ts";
import type { Run } from "./wire.ts";

/** Where the service cannot be reached: when it is tried again, in milliseconds of the clock. */
export const lost = signal<Readonly<{ retryAt: number; isOffline: boolean }> | undefined>(undefined);

let failures = 0;
let nextTry = Promise.withResolvers<void>();

export function noteSuccess(): void {
  failures = 0;
  lost.value = undefined;
}

export function tryNow(): void {
  nextTry.resolve();
  nextTry = Promise.withResolvers();
}

export async function waitForNextTry(): Promise<void> {
  const wait = Math.min(500 * 2 ** failures++, 15_000);
  lost.value = { retryAt: Date.now() + wait, isOffline: !navigator.onLine };
  await Promise.race([nextTry.promise, new Promise((resolve) => setTimeout(resolve, wait))]);
}

addEventListener("online", tryNow);
addEventListener("offline", () => (lost.value &&= { ...lost.value, isOffline: true }));
addEventListener("visibilitychange", () => document.visibilityState === "visible" && tryNow());

/** Calls before the next frame; a window that is not seen has none. */
export const beforeFrame = (draw: () => void): unknown =>
  document.hidden ? setTimeout(draw) : requestAnimationFrame(draw);

/** Milliseconds: three pings that did not come. */
const silence = 50_000;

/** Whether asking again would get the same answer. */
export const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** The events of a stream until it ends, `stop` is aborted, or nothing comes. Throws as `send` does. */
export async function* eventsOf(stop: AbortSignal, path: string): AsyncGenerator<EventSourceMessage> {
  const leave = new AbortController();
  const end = (): void => leave.abort();
  const signal = AbortSignal.any([stop, leave.signal]);
  addEventListener("offline", end, { signal: leave.signal });
  let timer = setTimeout(end, silence);
  const found: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => found.push(event) });
  try {
    const { body } = await send(path, { signal });
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

/** Who draws a run: `begin` comes before the first event, and again when all events are told anew. */
type Follower = Readonly<{ begin: () => void; take: (event: EventSourceMessage) => void }>;

/**
 * Reads a run's events over lost connections, from the first each time: a start of the service may have given
 * numbers anew. Resolves at the run's end, and with false where the service has left it interrupted. Rejects
 * with ApiError where the run cannot be read.
 */
export async function followRun(id: string, { begin, take }: Follower, stop: AbortSignal): Promise<boolean> {
  const path = pathOf(["api", "runs", id, "events"], { merge: true });
  let [hasEnded, isLeft] = [false, false];
  const note = (event: EventSourceMessage): void => {
    hasEnded ||= event.event === "end";
    if (event.event === "state") isLeft = (JSON.parse(event.data) as Run).status === "interrupted";
    take(event);
  };
  for (;;) {
    begin();
    try {
      for await (const event of eventsOf(stop, path)) note(event);
    } catch (error) {
      if (!stop.aborted && isFinal(error)) throw error;
    }
    if (hasEnded || isLeft || stop.aborted) return hasEnded;
    await waitForNextTry();
  }
}
