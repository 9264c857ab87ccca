import { spawn, type ChildProcessWithoutNullStreams as Child } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { fileFailure, systemFailure, ToolError, type SpawnOptions, type SpawnResult, type ToolContext } from "@pergola/sdk";

export interface SpawnDoor {
  readonly workingDirectory: string;
  /** What the plugin's manifest names. */
  readonly programs: readonly string[] | "any";
  readonly signal: AbortSignal;
}

/** All that a program gets to see of the service's own environment. */
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];
/** Milliseconds from the request to stop to the kill, and from a program's end to the end of its output. */
const [patience, lastWords] = [1000, 500];

const environment = (added: SpawnOptions["env"]): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  TERM: "dumb",
  ...added,
});

/** Keeps the first `limit` bytes of a stream as text and counts the rest. */
function collect(stream: Readable, limit: number, onText: (text: string) => void) {
  const decoder = new StringDecoder("utf8");
  const kept = { text: "", bytes: 0 };
  stream.on("data", (piece: Buffer) => {
    const text = decoder.write(piece.subarray(0, Math.max(0, limit - kept.bytes)));
    kept.bytes += piece.length;
    kept.text += text;
    if (text !== "") onText(text);
  });
  return kept;
}

/** Ends a program with all it started, unless something made a process group of its own: only a sandbox could hold that. */
function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** Resolves with the exit code once the program has ended and its output was read. */
function ended(child: Child): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
    child.once("exit", () => {
      killGroup(child, "SIGKILL");
      const silence = (): void => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
      const timer = setTimeout(silence, lastWords);
      child.once("close", () => clearTimeout(timer));
    });
  });
}

function startFailure(error: unknown, program: string): ToolError {
  if (ToolError.is(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return new ToolError("unavailable", `The program "${program}" is not installed.`, { cause: error });
  if (code === "EACCES") return new ToolError("system_permission_denied", `The program "${program}" may not be run.`, { cause: error });
  return new ToolError("invalid_value", `The program "${program}" could not be started (${code}).`, { cause: error });
}

async function watch(child: Child, signal: AbortSignal, options: SpawnOptions): Promise<SpawnResult> {
  const { input = "", timeoutSeconds, maxOutputBytes = 1_048_576, onOutput } = options;
  const timers: NodeJS.Timeout[] = [];
  let timedOut = false;
  const stop = (): void => {
    killGroup(child, "SIGTERM");
    timers.push(setTimeout(() => killGroup(child, "SIGKILL"), patience));
  };
  const expire = (): void => {
    timedOut = true;
    stop();
  };
  if (timeoutSeconds !== undefined) timers.push(setTimeout(expire, timeoutSeconds * 1000));
  signal.addEventListener("abort", stop);
  child.stdin.on("error", () => undefined).end(input);
  const stdout = collect(child.stdout, maxOutputBytes, (text) => onOutput?.(text, "stdout"));
  const stderr = collect(child.stderr, maxOutputBytes, (text) => onOutput?.(text, "stderr"));
  try {
    const exitCode = await ended(child);
    const truncated = stdout.bytes > maxOutputBytes || stderr.bytes > maxOutputBytes;
    return { exitCode, stdout: stdout.text, stderr: stderr.text, timedOut, truncated };
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Runs a program without a shell, in a process group that ends with the call. A program that fails or takes too long is a result.
 * Throws ToolError `permission_denied`, `unavailable`, `file_not_found`, `invalid_value`, `system_permission_denied` or `cancelled`.
 */
export const createSpawn =
  ({ workingDirectory, programs, signal }: SpawnDoor): ToolContext["spawn"] =>
  async (program, args, options = {}) => {
    const checkSignal = (): void => {
      if (signal.aborted) throw ToolError.is(signal.reason) ? signal.reason : new ToolError("cancelled", "The program was stopped.");
    };
    if (programs !== "any" && !programs.includes(program)) throw new ToolError("permission_denied", `The plugin may not run "${program}".`);
    const cwd = path.resolve(workingDirectory, options.cwd ?? ".");
    if (!existsSync(cwd)) throw fileFailure(systemFailure("ENOENT"), options.cwd ?? cwd);
    checkSignal();
    try {
      const child = spawn(program, args, { cwd, env: environment(options.env), detached: true });
      const result = await watch(child, signal, options);
      checkSignal();
      return result;
    } catch (error) {
      throw startFailure(error, program);
    }
  };
