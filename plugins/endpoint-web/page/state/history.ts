import { call, pathOf } from "../link/index.ts";
import type { ChangePage, FileChangeRecord, Message, Run } from "../link/index.ts";
import { listOf } from "./service.ts";

/** Runs of a conversation, the newest first: those known, and more until those of some messages are there. */
export async function runsFor(
  messages: readonly Message[],
  conversationId: string,
  known: readonly Run[],
): Promise<readonly Run[]> {
  const ids = new Set(known.map(({ id }) => id));
  if (messages.every(({ runId }) => !runId || ids.has(runId))) return known;
  const path = pathOf(["api", "runs"], { conversationId, limit: 200, offset: known.length });
  const more = await listOf<Run>(path, "runs").catch(() => []);
  return more.length === 0 ? known : runsFor(messages, conversationId, [...known, ...more]);
}

/** That are read at once. */
export const mostChanges = 1000;

/** What was changed in a conversation, the newest first: what is known, and more, back to a time. */
export async function changesSince(
  time: string | undefined,
  conversationId: string,
  known: readonly FileChangeRecord[],
): Promise<readonly FileChangeRecord[]> {
  const query = { conversationId, includeAgents: true, limit: mostChanges, offset: known.length };
  const page = await call<ChangePage>(pathOf(["api", "changes"], query));
  const all = [...known, ...page.changes];
  const isEnough = time === undefined || (all.at(-1)?.at ?? "") < time;
  return isEnough || page.changes.length < mostChanges ? all : changesSince(time, conversationId, all);
}
