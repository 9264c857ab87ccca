import type { ChildProcess } from "node:child_process";
import { startProcess, workerUrl } from "@pergola/kit-worker";

const limits = { heapMegabytes: 256, memoryBytes: 640 * 2 ** 20 };

/**
 * Node's own permissions: the process writes no file, starts no program and loads no native code. A seat
 * belt, not a wall: reading, the network and threads, one of which watches over the process, are outside it.
 */
const permission = ["--permission", "--experimental-permission"].find((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);
const seatBelt = permission === undefined ? [] : [permission, "--allow-fs-read=*", "--allow-worker"];

/**
 * Starts a plugin's process, with a clean environment and bounded memory. From source it needs the host's
 * loaders, which write and start programs.
 */
export const startIsolated = (program = workerUrl("isolated.process", import.meta.url)): ChildProcess =>
  startProcess(program, {
    args: [String(limits.memoryBytes)],
    builtFlags: seatBelt,
    flags: [`--max-old-space-size=${limits.heapMegabytes}`],
    detached: true,
  });

/** Ends a process at once, with all that it started. */
export function endProcess({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
