import { execFile } from "node:child_process";
import { promisify } from "node:util";

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

/** Every process, with its command line. */
async function processes(): Promise<readonly Running[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], {
    maxBuffer: 2 ** 26,
  });
  return stdout.split("\n").flatMap((text) => {
    const [, pid, parent, line = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(text) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), line }];
  });
}

/** A process and all that it has started, directly or not, each after the one that started it. */
function withDescendants(all: readonly Running[], pid: number): readonly Running[] {
  const own = all.filter((one) => one.pid === pid);
  const children = all.filter((one) => one.parent === pid);
  return [...own, ...children.flatMap((child) => withDescendants(all, child.pid))];
}

/**
 * Kills the process in which this host runs the plugin of a folder, as a crash would. Rejects when the plugin
 * has none at the moment, and where there is no program `ps`.
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
