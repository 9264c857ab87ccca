import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";

/** Lists of cores, as `taskset` reads them. */
export const cores = {
  /** One for the program that is measured: its CPU. */
  one: "0",
  /** Two for it: its latencies. */
  two: availableParallelism() > 1 ? "0-1" : "0",
  /** For the model and for the load. */
  rest: restOf(availableParallelism()),
  all: `0-${availableParallelism() - 1}`,
} as const;

function restOf(count: number): string {
  if (count > 2) return `2-${count - 1}`;
  return String(count - 1);
}

export interface Program {
  readonly process: ChildProcessWithoutNullStreams;
  readonly pid: number;
  readonly port: number;
  /** Waits for the next line it prints. */
  line(): Promise<string>;
  end(): Promise<void>;
}

/** Starts a node program that prints its port, on the given cores. */
export async function startProgram(
  args: readonly string[],
  on: string,
  { environment = {}, node = process.execPath }: { environment?: NodeJS.ProcessEnv; node?: string } = {},
): Promise<Program> {
  const child = spawn("taskset", ["-c", on, node, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
  });
  child.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
    if (done === true) throw new Error(`${args.join(" ")} has ended`);
    return value;
  };
  const first = await line();
  const port = Number(first) || Number(/:(\d+)/.exec(first)?.[1] ?? 0);
  return { process: child, pid: child.pid ?? 0, port, line, end: () => endOf(child) };
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const move = (pid: number, on: string): void =>
  void spawnSync("taskset", ["-a", "-c", "-p", on, String(pid)]);

/** Moves this process with its threads. Its children are the programs that are measured: they stay. */
export const placeItself = (on: string): void => move(process.pid, on);

/** Moves a process with all its threads and children to other cores. */
export function place(pid: number, on: string): void {
  move(pid, on);
  for (const child of childrenOf(pid)) place(child, on);
}

const threadsOf = (pid: number): readonly string[] => readdirSync(`/proc/${pid}/task`);

function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    readOr(`/proc/${pid}/task/${thread}/children`, "").split(" ").filter(Boolean).map(Number),
  );
}

/** Threads and processes may end while they are looked at. */
function readOr(file: string, other: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return other;
  }
}

/** On-CPU milliseconds of all threads of a process, and of its children. */
export function cpuOf(pid: number): number {
  const own = threadsOf(pid).reduce(
    (sum, thread) => sum + Number(readOr(`/proc/${pid}/task/${thread}/schedstat`, "0").split(" ")[0]) / 1e6,
    0,
  );
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own);
}

/** Resident megabytes of a process and its children. */
export function residentOf(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(readOr(`/proc/${pid}/status`, ""))?.[1] ?? 0) / 1024;
  return childrenOf(pid).reduce((sum, child) => sum + residentOf(child), own);
}

/** The same, with what processes share divided among them (PSS). */
export function shareOf(pid: number): number {
  const own = Number(/^Pss:\s+(\d+)/m.exec(readOr(`/proc/${pid}/smaps_rollup`, ""))?.[1] ?? 0) / 1024;
  return childrenOf(pid).reduce((sum, child) => sum + shareOf(child), own);
}
