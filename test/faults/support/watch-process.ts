import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** What a process took, and how it answered other requests, while something went on. */
export interface ProcessFigures {
  /** Resident memory in MB (10⁶ bytes): before, and the most. */
  readonly before: number;
  readonly most: number;
  /** Milliseconds of a request: the middle one, 95 of 100, the slowest. */
  readonly median: number;
  readonly p95: number;
  readonly slowest: number;
  readonly requests: number;
}

/** Resident memory of a process; MB. */
export function residentOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round((Number(kilobytes) * 1024) / 1e6);
}

interface Watched {
  readonly pid: number;
  readonly url: string;
  /** What others ask for meanwhile. */
  readonly routes: readonly string[];
}

/** Watches a host until `work` has ended, and for two seconds more. */
export async function watchProcess(
  { pid, url, routes }: Watched,
  work: () => Promise<unknown>,
): Promise<ProcessFigures> {
  const before = residentOf(pid);
  let most = before;
  const sampler = setInterval(() => (most = Math.max(most, residentOf(pid))), 20);
  const probe = new Worker(new URL("probe.worker.mjs", import.meta.url), {
    workerData: { url, routes },
    execArgv: [],
  });
  await once(probe, "message");
  const measured = once(probe, "message") as Promise<[number[]]>;
  measured.catch(() => undefined);
  try {
    await work();
    await setTimeout(2000);
  } finally {
    clearInterval(sampler);
    probe.postMessage("end");
  }
  const times = (await measured)[0].toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  return { before, most, median: at(0.5), p95: at(0.95), slowest: at(1), requests: times.length };
}
