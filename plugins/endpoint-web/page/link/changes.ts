import { computed, signal } from "@preact/signals";
import type { EventSourceMessage } from "eventsource-parser";
import { needsSignIn, pathOf } from "./api.ts";
import { eventsOf, isFinal, noteSuccess, waitForNextTry } from "./stream.ts";

/** A record that was stored, as its list has it; without one where it was deleted. */
export type Change = Readonly<{ kind: string; id: string; record: object | null }>;

/** Whether the service is of another version by now than when this page was opened. */
export const isUpdated = signal(false);
let version: string | undefined;

function noteVersion({ version: current }: { readonly version: string }): void {
  isUpdated.value ||= current !== (version ??= current);
}

interface Watcher {
  readonly kinds: readonly string[];
  /** Reads all lists: at first, and where changes have been missed. */
  readonly read: () => Promise<void>;
  readonly take: (change: Change) => void;
}

const isShown = signal(document.visibilityState === "visible");
addEventListener("visibilitychange", () => (isShown.value = document.visibilityState === "visible"));

/** Only a visible page asks, and only one that may. */
const mayAsk = computed(() => isShown.value && !needsSignIn.value);

const whenAllowed = (): Promise<void> =>
  new Promise((resolve) => {
    const end = mayAsk.subscribe((may) => may && setTimeout(() => (end(), resolve())));
  });

/** In place of the stream where there is none. */
async function* everyTwoSeconds(stop: AbortSignal): AsyncGenerator<Partial<EventSourceMessage>> {
  for (; !stop.aborted; await new Promise((resolve) => setTimeout(resolve, 2000))) yield { event: "resync" };
}

/** Tells what changes in the service for as long as the page is open. */
export async function watchService({ kinds, read, take }: Watcher): Promise<never> {
  let after: string | undefined;
  const note = async ({ event, id, data = "" }: Partial<EventSourceMessage>): Promise<void> => {
    if (event === "resync" || after === undefined) await read();
    if (event === "hello") noteVersion(JSON.parse(data) as { version: string });
    if (event === "change") take(JSON.parse(data) as Change);
    noteSuccess();
    after = id;
  };
  for (let isRefused = false; ;) {
    await whenAllowed();
    const leave = new AbortController();
    const end = mayAsk.subscribe((may) => may || leave.abort());
    const path = pathOf(["api", "events"], { kinds, after });
    try {
      for await (const next of (isRefused ? everyTwoSeconds : eventsOf)(leave.signal, path)) await note(next);
    } catch (error) {
      isRefused = isFinal(error) && mayAsk.peek();
    }
    end();
    if (needsSignIn.peek()) after = undefined;
    if (mayAsk.peek() && !isRefused) await waitForNextTry();
  }
}
