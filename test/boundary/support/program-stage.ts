import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { TestHostOptions } from "@pergola/sdk/testing";
import { openStage, type Stage } from "../../support/host.ts";

/** What a call by hand came to. */
export interface Outcome {
  readonly success: boolean;
  readonly result: string;
  readonly error?: string;
  readonly error_code?: string;
  readonly approval_id?: string;
}

/** A service whose commands run in the sandbox, or not at all. */
export interface ProgramStage extends Stage {
  readonly call: (tool: string, args: object) => Promise<Outcome>;
  /** What a command printed. */
  readonly shell: (command: string, more?: object) => Promise<string>;
  /** The folder in which its commands work. */
  readonly folder: string;
}

/** Skips where there is no bubblewrap that may make namespaces. */
export function needsSandbox(this: Mocha.Context): void {
  const { status } = spawnSync("bwrap", ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]);
  if (status === 0) return;
  process.stdout.write("skipped: bwrap is missing or may not make namespaces (Debian: bubblewrap)\n");
  this.skip();
}

export async function openPrograms({
  settings = {},
  ...options
}: TestHostOptions = {}): Promise<ProgramStage> {
  const stage = await openStage(undefined, {
    ...options,
    settings: { "tools.disabled": [], "sandbox.programs": "required", ...settings },
  });
  const call = async (tool: string, args: object): Promise<Outcome> => {
    const body = { tool, arguments: args, isUserInitiated: true };
    return (await stage.host.json<Outcome>("POST", "/debug/mcp/execute", body)).body;
  };
  const shell = async (command: string, more: object = {}): Promise<string> => {
    const outcome = await call("terminal_operations.run_command", {
      command,
      explanation: "A test",
      ...more,
    });
    return outcome.success ? outcome.result : `${outcome.error_code}: ${JSON.stringify(outcome)}`;
  };
  const folder = (await shell("pwd")).trim();
  return { ...stage, call, shell, folder };
}

/** Processes of this computer whose command line holds a mark; zombies aside. */
export const runningWith = (mark: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return line.includes(mark) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  });

/** Waits until something holds, at most `most` milliseconds; fails then. */
export async function until(what: string, holds: () => boolean, most = 10_000): Promise<void> {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > most) throw new Error(`In ${most} ms it did not happen: ${what}`);
    await wait(20);
  }
}
