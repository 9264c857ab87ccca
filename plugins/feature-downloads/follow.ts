import type { DownloadStatus } from "@pergola/sdk/host";
import { isFinal } from "./records.ts";

export type Listener = (status: DownloadStatus) => void;

/** Milliseconds between two reports without a change of state. */
const pause = 500;

/**
 * One reader's view of a download: the first status, each change of state, progress at most twice a second;
 * the last one is final.
 */
export async function* follow(
  first: DownloadStatus,
  listen: (listener: Listener) => () => void,
  signal: AbortSignal,
  now: () => number,
): AsyncGenerator<DownloadStatus, void> {
  const news: DownloadStatus[] = [];
  let wake = (): void => undefined;
  const hear = (status: DownloadStatus): void => {
    if (news.at(-1)?.status === status.status) news.pop();
    news.push(status);
    wake();
  };
  const stop = listen(hear);
  const leave = (): void => wake();
  signal.addEventListener("abort", leave);
  try {
    let [last, at] = [first, now()];
    yield first;
    while (!isFinal(last.status) && !signal.aborted) {
      const next = news.shift();
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else if (next.status !== last.status || now() - at >= pause) {
        [last, at] = [next, now()];
        yield next;
      }
    }
  } finally {
    stop();
    signal.removeEventListener("abort", leave);
  }
}
