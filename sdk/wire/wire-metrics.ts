import type { RunRecord } from "../contract/run.ts";
import { pick } from "../util/pick.ts";
import { wireUsage } from "./wire.ts";

function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** Figures of a conversation's newest run; null when there was none. */
export function wireMetrics(runs: number, newest: RunRecord | undefined) {
  if (newest === undefined) return null;
  return {
    runCount: runs,
    runId: newest.id,
    ...pick(newest, "iterations", "toolCallCount"),
    usage: wireUsage(newest.usage),
    durationSeconds: secondsBetween(newest.startedAt, newest.endedAt),
  };
}
