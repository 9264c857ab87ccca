import { setTimeout as wait } from "node:timers/promises";
import type { LiveProcess } from "./live-process.ts";
import { killMarked, signalMarked, signalTo } from "./mark.ts";

/** Milliseconds between asking processes to stop and killing them. */
const patience = 800;

/**
 * Ends a program and all it started: asked first (interactive shells heed only a hang-up), then killed.
 * Resolves when nobody is left.
 */
export async function endProcess({ pid, ended }: LiveProcess, mark: string): Promise<number> {
  for (const signal of ["SIGHUP", "SIGTERM", "SIGCONT"] as const) {
    signalTo(-pid, signal);
    await signalMarked(mark, signal);
  }
  const timer = new AbortController();
  await Promise.race([ended, wait(patience, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
  signalTo(-pid, "SIGKILL");
  await killMarked(mark);
  return ended;
}
