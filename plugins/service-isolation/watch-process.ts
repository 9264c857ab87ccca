import { execFile, spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";

const intervals = { linux: 500, other: 2_000 };

/** Bytes of memory that a process holds; undefined where the system does not tell. */
async function residentBytes(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return residentByProgram(pid);
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

const residentByProgram = (pid: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (error, output) => {
      const kilobytes = Number(output);
      resolve(error === null && kilobytes > 0 ? kilobytes * 1024 : undefined);
    });
  });

/** Calls back once when a process holds more memory than it may. */
function watchMemory(child: ChildProcess, maxBytes: number, exceeded: () => void): () => void {
  const { pid } = child;
  if (pid === undefined) return () => undefined;
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    const bytes = await residentBytes(pid);
    isBusy = false;
    if (bytes === undefined || bytes <= maxBytes || child.exitCode !== null) return;
    clearInterval(timer);
    exceeded();
  };
  const interval = process.platform === "linux" ? intervals.linux : intervals.other;
  const timer = setInterval(() => void look(), interval).unref();
  return () => clearInterval(timer);
}

/**
 * A shell that ends a process group once this process is gone, whatever ended it: then its input ends. The
 * plugin's process cannot do this for itself while it is in an endless loop.
 */
function guardOrphan({ pid }: ChildProcess): () => void {
  if (pid === undefined || process.platform === "win32") return () => undefined;
  const script = 'cat >/dev/null; kill -9 "-$1" 2>/dev/null';
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    detached: true,
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as typeof guard.stdin & { unref?: () => void }).unref?.();
  return () => {
    if (guard.pid === undefined || guard.exitCode !== null) return;
    process.kill(-guard.pid, "SIGKILL");
  };
}

/**
 * Watches over a plugin's process from outside, since the process may hold no thread that does: its memory,
 * and that it does not outlive this one.
 */
export function watchProcess(child: ChildProcess, maxBytes: number, exceeded: () => void): void {
  const stops = [watchMemory(child, maxBytes, exceeded), guardOrphan(child)];
  const end = (): void => {
    for (const stop of stops.splice(0)) stop();
  };
  child.once("exit", end);
  child.once("error", end);
}
