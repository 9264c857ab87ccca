import type { RunRecord } from "../contract/run.ts";
import { wireUsage } from "./wire.ts";

const seconds = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000;

/** Figures of a conversation's newest run; null when there was none. */
export function wireMetrics(runs: number, newest: RunRecord | undefined) {
  if (newest === undefined) return null;
  const { id, iterations, toolCallCount, usage, startedAt, endedAt } = newest;
  return {
    runCount: runs,
    runId: id,
    iterations,
    toolCallCount,
    usage: wireUsage(usage),
    durationSeconds: seconds(startedAt, endedAt),
  };
}
