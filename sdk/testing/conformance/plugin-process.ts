import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

/** What Linux tells of a process; undefined once it is gone. */
async function readProcess(pid: number): Promise<Running | undefined> {
  try {
    const [stat = "", line = ""] = await Promise.all(
      ["stat", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
    );
    // Before them stands the name of its program in brackets, which may hold anything.
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(parent), line: line.replaceAll("\0", " ") };
  } catch {
    return undefined;
  }
}

async function fromProc(): Promise<readonly Running[]> {
  const names = await readdir("/proc");
  const all = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .map(readProcess),
  );
  return all.filter((one) => one !== undefined);
}

/** Every process, with its command line. Rejects outside Linux where there is no program `ps`. */
export async function processes(): Promise<readonly Running[]> {
  if (process.platform === "linux") return fromProc();
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], {
    maxBuffer: 2 ** 26,
  });
  return stdout.split("\n").flatMap((text) => {
    const [, pid, parent, line = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(text) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), line }];
  });
}

/** A process and all that it has started, directly or not, each after the one that started it. */
export function withDescendants(all: readonly Running[], pid: number): readonly Running[] {
  const own = all.filter((one) => one.pid === pid);
  const children = all.filter((one) => one.parent === pid);
  return [...own, ...children.flatMap((child) => withDescendants(all, child.pid))];
}

/**
 * Kills the process in which this host runs the plugin of a folder, as a crash would. Rejects when the plugin
 * has none at the moment.
 */
export async function killPluginProcess(folder: string): Promise<void> {
  const all = await processes();
  const launched = withDescendants(all, process.pid).find(
    ({ pid, line }) => pid !== process.pid && line.includes("isolated.process") && line.includes(folder),
  );
  const innermost = launched && withDescendants(all, launched.pid).at(-1);
  if (innermost === undefined) throw new Error(`No process runs the plugin in ${folder}.`);
  process.kill(innermost.pid, "SIGKILL");
}
