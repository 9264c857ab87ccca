import { spawn, type ChildProcessWithoutNullStreams as Child } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { fileFailure, ToolError, type SpawnOptions, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { systemFailure } from "@pergola/sdk/host";
import { checkSignal, createPrepare, requirePermission, type ProgramDoor } from "./prepare.ts";

/** The only variables of the service's environment that a program gets. */
const inherited = new Set(["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"]);
/**
 * Milliseconds between asking a program to stop and killing it, and between its end and the end of its
 * output.
 */
const [patience, lastWords] = [1000, 500];

/** The names of those that are set. */
export const inheritedNames = (): readonly string[] =>
  Object.keys(process.env)
    .filter((name) => inherited.has(name))
    .sort();

function environment(added: SpawnOptions["env"]): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => inherited.has(name));
  return { ...Object.fromEntries(own), TERM: "dumb", ...added };
}

/** Keeps the first `limit` bytes of a stream as text, and counts all. */
function collect(stream: Readable, limit: number, onText: (text: string) => void) {
  const decoder = new StringDecoder("utf8");
  const output = { text: "", bytes: 0 };
  stream.on("data", (piece: Buffer) => {
    const text = decoder.write(piece.subarray(0, Math.max(0, limit - output.bytes)));
    output.bytes += piece.length;
    output.text += text;
    if (text !== "") onText(text);
  });
  return output;
}

/**
 * Reaches a program and all it started, but for one that made a process group of its own: only a sandbox
 * could hold that.
 */
function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left.
  }
}

/** The exit code, once the program has ended and its output was read. */
function ended(child: Child): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
    child.once("exit", () => {
      killGroup(child, "SIGKILL");
      const timer = setTimeout(
        () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
        lastWords,
      );
      child.once("close", () => clearTimeout(timer));
    });
  });
}

async function watch(child: Child, signal: AbortSignal, options: SpawnOptions): Promise<SpawnResult> {
  const { input = "", timeoutSeconds, maxOutputBytes = 1_048_576, onOutput } = options;
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  const timers = timeoutSeconds === undefined ? [] : [setTimeout(() => late.abort(), timeoutSeconds * 1000)];
  either.addEventListener("abort", () => {
    killGroup(child, "SIGTERM");
    timers.push(setTimeout(() => killGroup(child, "SIGKILL"), patience));
  });
  child.stdin.on("error", () => undefined).end(input);
  const stdout = collect(child.stdout, maxOutputBytes, (text) => onOutput?.(text, "stdout"));
  const stderr = collect(child.stderr, maxOutputBytes, (text) => onOutput?.(text, "stderr"));
  const exitCode = await ended(child).finally(() => timers.forEach((timer) => clearTimeout(timer)));
  const truncated = Math.max(stdout.bytes, stderr.bytes) > maxOutputBytes;
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    timedOut: late.signal.aborted,
    truncated,
  };
}

const startFailures: Readonly<Record<string, readonly [code: string, text: string]>> = {
  ENOENT: ["unavailable", "is not installed"],
  EACCES: ["system_permission_denied", "may not be run"],
};

/**
 * Runs a program without a shell, in a process group that ends with the call. A program that fails or takes
 * too long is a result. Throws ToolError `permission_denied`, `unavailable`, `file_not_found`,
 * `invalid_value`, `system_permission_denied` or `cancelled`.
 */
export const createSpawn = (door: ProgramDoor): ToolContext["spawn"] => {
  const { workingDirectory, signal } = door;
  const prepare = createPrepare(door);
  return async (program, args, options = {}) => {
    requirePermission(program, door);
    const cwd = path.resolve(workingDirectory, options.cwd ?? ".");
    if (!existsSync(cwd)) throw fileFailure(systemFailure("ENOENT"), options.cwd ?? cwd);
    checkSignal(signal);
    const line = await prepare(program, args, options);
    let appeared: readonly string[] = [];
    const run = async (): Promise<SpawnResult> => {
      if (line.sandboxed) requireInstalled(program);
      const env = { ...environment(options.env), ...line.env };
      return watch(spawn(line.program, line.args, { cwd, env, detached: true }), signal, options);
    };
    const result = await run()
      .catch((cause: unknown) => {
        throw ToolError.is(cause) ? cause : notStarted(program, cause as NodeJS.ErrnoException);
      })
      .finally(async () => (appeared = await line.release()));
    checkSignal(signal);
    return appeared.length === 0 ? result : { ...result, appeared };
  };
};

function notStarted(program: string, cause: NodeJS.ErrnoException): ToolError {
  const [code, text] = startFailures[cause.code ?? ""] ?? [
    "invalid_value",
    `could not be started (${cause.code})`,
  ];
  return new ToolError(code, `The program "${program}" ${text}.`, { cause });
}

/** What is started first in a sandbox is always there; that the program is not would only show by its end. */
function requireInstalled(program: string): void {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  const places = program.includes("/") ? [program] : folders.map((folder) => path.join(folder, program));
  if (!places.some((place) => existsSync(place))) throw notStarted(program, systemFailure("ENOENT"));
}
