import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The process that has started a process; undefined for one that is gone. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** The command line of a process; empty for one that is gone. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** All processes that a process has started, and those that they have started, where the system tells. */
export function descendants(pid: number): readonly number[] {
  if (!existsSync("/proc/self/stat")) return [];
  const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((each) => [each, parentOf(each)]));
  const below = (each: number): readonly number[] =>
    all.filter((child) => parents.get(child) === each).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

const isThere = (pid: number): boolean => existsSync(`/proc/${pid}/cwd`);

/** Those of the processes that are still there after so many milliseconds; none as soon as all are gone. */
export async function leftOf(pids: readonly number[], patience = 5000): Promise<readonly number[]> {
  const end = performance.now() + patience;
  while (pids.some(isThere) && performance.now() < end) await sleep(20);
  return pids.filter(isThere);
}
