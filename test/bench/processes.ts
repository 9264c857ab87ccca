import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export interface Program {
  readonly process: ChildProcessWithoutNullStreams;
  readonly port: number;
  /** Waits for the next line it prints. */
  line(): Promise<string>;
  end(): Promise<void>;
}

/** Starts a node program that prints its port, on one core where `taskset` is there. */
export async function startProgram(
  args: readonly string[],
  core: number,
  environment: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const child = spawn("taskset", ["-c", String(core), process.execPath, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
  });
  child.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value ?? "");
  const first = await line();
  const port = Number(first) || Number(/:(\d+)/.exec(first)?.[1]);
  return {
    process: child,
    port,
    line,
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** On-CPU milliseconds of all threads of a process, and of its children. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const own = threads.reduce((sum, thread) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
    } catch {
      return sum;
    }
  }, 0);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return own + children.reduce((sum, child) => sum + cpuOf(Number(child)), 0);
}

/** Resident megabytes of a process and its children. */
export function memoryOf(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return own + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
