import { computed, signal } from "@preact/signals";
import type { EventSourceMessage } from "eventsource-parser";
import { needsSignIn, pathOf } from "./api.ts";
import { eventsOf, isFinal, noteSuccess, waitForNextTry } from "./stream.ts";

/** A record that was stored, as its list has it; without one where it was deleted. */
export type Change = Readonly<{ kind: string; id: string; record: object | null }>;

/** Whether the service is of another version by now than when this page was opened. */
export const isUpdated = signal(false);
let version: string | undefined;

function noteVersion(next: string): void {
  isUpdated.value ||= next !== (version ??= next);
}

/** `read` reads all lists: at first, and where changes have been missed. */
type Watcher = Readonly<{
  kinds: readonly string[];
  read: () => Promise<void>;
  take: (change: Change) => void;
}>;

const isShown = signal(document.visibilityState === "visible");
addEventListener("visibilitychange", () => (isShown.value = document.visibilityState === "visible"));

/** Only a visible page asks, and only one that may. */
const mayAsk = computed(() => isShown.value && !needsSignIn.value);

const whenAllowed = (): Promise<void> =>
  new Promise((resolve) => {
    const end = mayAsk.subscribe((may) => may && setTimeout(() => (end(), resolve())));
  });

/** What the window that reads the stream tells all: an event, and behind which one its stream began. */
type News = Partial<EventSourceMessage> & { readonly behind?: string | undefined };

const channel = "pergola.events";
/** Where the browser has no locks, as at an address that is not secure, each window reads for itself. */
const locks = "locks" in navigator ? navigator.locks : undefined;
const windows = locks && new BroadcastChannel(channel);

/** Tells what changes in the service. Of a browser's visible windows one reads the stream, for all. */
export async function watchService({ kinds, read, take }: Watcher): Promise<never> {
  let after: string | undefined;
  let isCurrent = false;
  let last = Promise.resolve();
  const note = async ({ event, id, data = "", behind }: News): Promise<void> => {
    if (event === "resync" || (event === "hello" && (behind ?? "") !== after)) isCurrent = false;
    if (!isCurrent && !mayAsk.peek()) return;
    if (!isCurrent) await read();
    isCurrent = true;
    if (event === "hello") noteVersion((JSON.parse(data) as { version: string }).version);
    if (event === "change") take(JSON.parse(data) as Change);
    noteSuccess();
    after = id;
  };
  const noteInTurn = (news: News): Promise<void> =>
    (last = last.catch(() => undefined).then(() => note(news)));
  /** In place of the stream where there is none; tells whether the service is lost. */
  const readAndPause = () =>
    noteInTurn({ event: "resync" }).then(
      () => new Promise<false>((resolve) => setTimeout(resolve, 2000, false)),
    );
  windows?.addEventListener("message", ({ data }: MessageEvent<News>) => {
    noteInTurn(data).catch(() => (isCurrent = false));
  });
  for (;;) {
    await whenAllowed();
    const leave = new AbortController();
    const end = mayAsk.subscribe((may) => may || leave.abort());
    /** Reads the stream to its end; what there is by now, where another window reads it: `lock` is null. */
    const follow = async (lock?: Lock | null): Promise<boolean> => {
      if (lock === null) return noteInTurn({}).then(() => false);
      const behind = after;
      for await (const next of eventsOf(leave.signal, pathOf(["api", "events"], { kinds, after }))) {
        windows?.postMessage({ ...next, behind });
        await noteInTurn({ ...next, behind });
      }
      return true;
    };
    const options = isCurrent ? { signal: leave.signal } : { ifAvailable: true };
    const isLost = await (locks?.request(channel, options, follow) ?? follow()).catch((error: unknown) =>
      isFinal(error) && mayAsk.peek() ? readAndPause().catch(() => true) : true,
    );
    end();
    if (needsSignIn.peek()) isCurrent = false;
    if (isLost && mayAsk.peek()) await waitForNextTry();
  }
}
