import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/**
 * The variable by which a command's processes are known, wherever they have moved: programs pass it on
 * without knowing it.
 */
const variable = "PERGOLA_COMMAND";

/** How often the processes are looked through: each round finds what was forked during the one before. */
const rounds = 20;

export const newMark = (): string => randomUUID();

export const markedWith = (mark: string): Readonly<Record<string, string>> => ({ [variable]: mark });

async function idIfMarked(pid: string, entry: string): Promise<readonly number[]> {
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  if (!environment.split("\0").includes(entry)) return [];
  return [Number(pid)];
}

/**
 * Processes that carry the mark; none where the system has no /proc. A process that cleared its environment
 * is not found.
 */
async function marked(mark: string): Promise<readonly number[]> {
  const entry = `${variable}=${mark}`;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => idIfMarked(pid, entry)));
  return found.flat();
}

/** Sends a signal to a process, or to a group by its negative id. One that has ended is left alone. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nobody is left.
  }
}

export async function signalMarked(mark: string, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await marked(mark)) signalTo(pid, signal);
}

/** Ends every process that carries the mark, also those that left their group or were forked meanwhile. */
export async function killMarked(mark: string): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const left = await marked(mark);
    if (left.length === 0) return;
    for (const pid of left) signalTo(pid, "SIGKILL");
  }
}
