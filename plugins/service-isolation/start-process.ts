import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

const limits = { heapMegabytes: 256, memoryBytes: 640 * 2 ** 20 };
const inherited = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"];
const ours = new URL(
  import.meta.url.endsWith(".ts") ? "./isolated.process.ts" : "./isolated.process.js",
  import.meta.url,
);

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
export function startProcess(program = ours): ChildProcess {
  const file = fileURLToPath(program);
  const loaders = process.execArgv.filter(
    (option) => !/^--(inspect|max-old|prof|cpu-prof|heap)/.test(option),
  );
  const execArgv = [
    ...(file.endsWith(".ts") ? loaders : seatBelt),
    `--max-old-space-size=${limits.heapMegabytes}`,
  ];
  const env = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  return fork(file, [String(limits.memoryBytes)], {
    execArgv,
    env,
    detached: true,
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

/** Ends a process at once, with all that it started. */
export function endProcess({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
