import type { ChildProcess } from "node:child_process";
import { readFile, stat, statfs } from "node:fs/promises";

/** Milliseconds between two looks. */
const interval = 250;

const childOf = async (pid: number): Promise<number | undefined> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return Number.parseInt(children) || undefined;
};

/** The innermost process below another: what the sandbox has started at last. */
async function innermost(pid: number): Promise<number> {
  const child = await childOf(pid);
  return child === undefined ? pid : innermost(child);
}

/**
 * How many files there are in the `/tmp` of a process; undefined where nobody tells, and while it has none of
 * its own yet.
 */
async function filesIn(pid: number): Promise<number | undefined> {
  const folder = `/proc/${pid}/root/tmp`;
  try {
    const [own, others] = await Promise.all([stat(folder), stat("/tmp")]);
    if (own.dev === others.dev) return undefined;
    const { files, ffree } = await statfs(folder);
    return files - ffree;
  } catch {
    return undefined;
  }
}

/**
 * Calls back once when the `/tmp` within a process's walls holds more files than it may: its size is limited,
 * but each empty file takes memory of the kernel that no limit counts. Linux only.
 */
export function watchScratch(child: ChildProcess, mostFiles: number, exceeded: () => void): void {
  if (process.platform !== "linux") return;
  const look = async (): Promise<void> => {
    const { pid } = child;
    const files = pid === undefined ? undefined : await filesIn(await innermost(pid));
    if (files === undefined || files <= mostFiles || child.exitCode !== null) return;
    clearInterval(timer);
    exceeded();
  };
  const timer = setInterval(() => void look(), interval).unref();
  const end = (): void => clearInterval(timer);
  child.once("exit", end).once("error", end);
}
