import { computed, signal } from "@preact/signals";
import {
  type Approval,
  call,
  messageOf,
  pathOf,
  refresh,
  type Run,
  type Summary,
  watchService,
} from "../link/index.ts";
import { say } from "../parts/index.ts";

export const conversations = signal<readonly Summary[] | undefined>(undefined);
export const approvals = signal<readonly Approval[]>([]);
export const runs = signal<readonly Run[] | undefined>(undefined);

/** The title of a conversation; where it is not known, what it is. */
export const titleOf = (id: string, unknown = "a conversation"): string =>
  conversations.value?.find((one) => one.id === id)?.title ?? unknown;

/** What each conversation does just now: `waiting` where a person must decide. */
export const activity = computed(() => {
  const found = new Map<string, "waiting" | "working">();
  for (const { conversationId, status } of runs.value ?? [])
    if (status === "running" || status === "queued") found.set(conversationId, "working");
  for (const { conversationId } of approvals.value) found.set(conversationId, "waiting");
  return found;
});

/** Ends a run, or lets one go on that the service had left. What is refused is said. */
export async function steer(id: string, how: "end" | "resume"): Promise<void> {
  const isEnd = how === "end";
  const path = pathOf(["api", "runs", id, ...(isEnd ? [] : ["resume"])]);
  await call(path, isEnd ? { method: "DELETE" } : { method: "POST", body: {} }).catch((error: unknown) =>
    say(messageOf(error), true),
  );
  refresh();
}

/** Begins to follow the service, for as long as the page is open. */
export function startWatching(): void {
  const never = new AbortController().signal;
  void watchService((state) => {
    approvals.value = state.approvals;
    runs.value = state.runs;
    conversations.value = state.conversations;
  }, never);
}
