import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { nodeRuntime } from "@pergola/kit-worker";
import type { SandboxPlan } from "@pergola/sdk/host";
import { systemCalls } from "./filter/system-calls.ts";
import { forbiddenCallsScript, forbiddenScript, type ForbiddenFacts } from "./forbidden-script.ts";
import type { Launcher } from "./launcher.ts";

/** Milliseconds that a try may take. */
const patience = 10_000;
const mebibyte = 2 ** 20;
/** Memory beside what Node itself takes, and what is asked for beyond it. */
const [allowed, asked] = [64 * mebibyte, 512 * mebibyte];

/** It did not run; its last words. */
export interface NotRun {
  readonly output: string;
}

/** A plan for one small program without a trace of anything else. */
export const barePlan = (
  kind: SandboxPlan["kind"],
  read: readonly string[] = [],
  dataBytes = Infinity,
): SandboxPlan => ({
  kind,
  read,
  write: [],
  keep: [],
  network: "none",
  limits: { dataBytes, fileBytes: mebibyte, scratchBytes: mebibyte, processes: Infinity, files: 64 },
});

/** Runs a program within the walls; its output, or why it did not come to that. */
export async function runWithin(
  launcher: Launcher,
  plan: SandboxPlan,
  [program = "", ...words]: readonly string[],
): Promise<string | NotRun> {
  const { program: file, args, env, release } = await launcher.commandLine(plan, program, words);
  const options = {
    env: { PATH: "/usr/bin:/bin", ...env },
    timeout: patience,
    killSignal: "SIGKILL",
  } as const;
  try {
    return await new Promise((resolve) => {
      execFile(file, args, options, (error, stdout, stderr) =>
        resolve(error === null ? stdout : { output: stderr || stdout || error.message }),
      );
    });
  } finally {
    await release?.();
  }
}

/** Libraries of the system, for programs that are not Node. */
const libraries = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache"];
const perl = "/usr/bin/perl";

/** Which system calls went through the filter; undefined where nothing here can make them. */
async function tryCalls(launcher: Launcher): Promise<readonly string[] | undefined> {
  const column = { x64: 0, arm64: 1 }[process.arch as string];
  if (column === undefined || !existsSync(perl)) return undefined;
  const { ptrace, unshare, mount } = systemCalls;
  const numbers = [ptrace, unshare, mount].map((call) => String(call[column]));
  const read = [...libraries.filter((file) => existsSync(file)), perl];
  const output = await runWithin(launcher, barePlan("plugin", read), [
    perl,
    "-e",
    forbiddenCallsScript,
    ...numbers,
  ]);
  const lines = typeof output === "string" ? output.trim().split("\n") : [];
  return lines.at(-1) === "tried" ? lines.slice(0, -1) : undefined;
}

/** What this process must not notice while the script runs. */
async function listen() {
  let signals = 0;
  const count = (): void => void (signals += 1);
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  process.on("SIGCONT", count);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    signals: () => signals,
    close: () => {
      process.off("SIGCONT", count);
      server.close();
    },
  };
}

async function tryScript(launcher: Launcher, folder: string): Promise<readonly string[] | NotRun> {
  const { program, libraries: needed, dataBytes } = await nodeRuntime();
  const isLimited = launcher.state.works && launcher.state.fences.includes("limits");
  const watched = await listen();
  try {
    const { port } = watched;
    const facts: ForbiddenFacts = { folder, port, pid: process.pid, bytes: isLimited ? asked : 0 };
    const read = [program, ...needed.filter((file) => existsSync(file))];
    const output = await runWithin(launcher, barePlan("plugin", read, dataBytes + allowed), [
      program,
      "-e",
      forbiddenScript,
      JSON.stringify(facts),
    ]);
    if (typeof output !== "string") return output;
    const could = JSON.parse(output) as readonly string[];
    return watched.signals() === 0 ? could : [...could, "send signals to other processes"];
  } finally {
    watched.close();
  }
}

/** What a plugin could do, and whether its system calls were tried, too. */
export interface Tried {
  readonly could: readonly string[];
  readonly callsTried: boolean;
}

/**
 * Tries, as a plugin, ten things that no plugin may do; gives back what it could. `folder` is one of the
 * service's own.
 */
export async function tryForbidden(launcher: Launcher, folder: string): Promise<Tried | NotRun> {
  const { state } = launcher;
  const isFiltered = state.works && state.fences.includes("seccomp");
  const [things, calls] = await Promise.all([
    tryScript(launcher, folder),
    isFiltered ? tryCalls(launcher) : [],
  ]);
  if ("output" in things) return things;
  return { could: [...things, ...(calls ?? [])], callsTried: calls !== undefined };
}
