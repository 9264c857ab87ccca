import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startProcess, workerUrl } from "@pergola/kit-worker";
import { readableFolders } from "./readable.ts";

export const maxMemoryBytes = 640 * 2 ** 20;
const heapMegabytes = 256;

/**
 * Node's own permissions: the process reads the plugin and its packages, writes no file, starts no program
 * and no thread, and loads no native code. A thread could be started without these permissions, so there is
 * none. They guard against mistakes: the network is outside of them, and so are faults of Node itself.
 */
const permission = ["--permission", "--experimental-permission"].find((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);

function seatBelt(entry: string, program: URL): readonly string[] {
  if (permission === undefined) return [];
  const readable = readableFolders(entry, fileURLToPath(program));
  return [permission, ...readable.map((each) => `--allow-fs-read=${each}`)];
}

/**
 * Starts the process of the plugin with this entry, with a clean environment and bounded memory. From source
 * it needs the host's loaders, which write and start programs.
 */
export const startIsolated = (
  entry: string,
  program = workerUrl("isolated.process", import.meta.url),
): ChildProcess =>
  startProcess(program, {
    builtFlags: seatBelt(entry, program),
    flags: [`--max-old-space-size=${heapMegabytes}`],
    detached: true,
    channel: "pipe",
  });

/** Ends a process at once, with all that it started. */
export function endProcess({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
