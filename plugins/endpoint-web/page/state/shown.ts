import { effect, signal } from "@preact/signals";
import { isLeft } from "./fold-run.ts";
import { newestRun } from "./service.ts";
import { Thread } from "./thread.ts";
import { keepUploads } from "./uploads.ts";

export const thread = signal<Thread>(new Thread());

export function openThread(id?: string): void {
  const current = thread.peek();
  if (id === undefined ? current.isNew && current.turns.peek().length === 0 : current.id === id) return;
  current.leaving.abort();
  thread.value = new Thread(id);
  if (id !== undefined) void thread.peek().load();
}

effect(() => keepUploads(thread.value));

let seen = "";

/** A run that the service had left goes on, or was ended: here too; so does one that began elsewhere. */
effect(() => {
  const { id, live, isSending, state, turns } = thread.peek();
  const run = newestRun(id);
  if (run === undefined || isSending.peek() || state.peek() !== "ready") return;
  if (isLeft(live.peek()?.run.peek()) && !isLeft(run)) return void thread.peek().follow(run.id);
  const isKnown = run.id === seen || (!isLeft(run) && turns.peek().some(({ id }) => id === run.id));
  if (live.peek() !== undefined || isKnown) return;
  seen = run.id;
  void thread.peek().load();
});
