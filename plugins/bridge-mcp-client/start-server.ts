import { spawn, type ChildProcessWithoutNullStreams as Child } from "node:child_process";
import { statSync } from "node:fs";
import { ToolError } from "@pergola/sdk";
import type { Sandbox, SandboxedCommand } from "@pergola/sdk/host";
import { serverPlan, withHome } from "./server-plan.ts";
import type { ServerSettings } from "./server-settings.ts";

/** The only variables of the service's environment that a server gets. */
const inherited = new Set(["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TMPDIR"]);
/** Milliseconds that a server gets to end by itself, and then again before it is killed. */
const patience = 700;

export interface RunningServer {
  readonly child: Child;
  /** The last that it wrote to stderr. */
  lastWords(): string;
  /** Ends it and all it started, but for what made a process group of its own. Resolves when it is gone. */
  stop(): Promise<void>;
}

function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left.
  }
}

function environment(added: ServerSettings["env"]): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => inherited.has(name));
  return { ...Object.fromEntries(own), TERM: "dumb", ...added };
}

interface LaunchLine extends Pick<SandboxedCommand, "program" | "args" | "env" | "release"> {
  readonly cwd: string;
}

async function launchLine(settings: ServerSettings, sandbox: () => Promise<Sandbox>): Promise<LaunchLine> {
  const { command = "", args = [] } = settings;
  const cwd = withHome(settings.cwd ?? "~");
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolError("unavailable", `Its working folder is not there: ${cwd}`, {
      hint: "Make it, or correct cwd in its entry.",
    });
  if (settings.sandbox !== true)
    return { program: command, args, env: {}, cwd, release: async () => undefined };
  const line = await (await sandbox()).wrap(serverPlan(settings), command, args);
  return { ...line, cwd: "/" };
}

/** Servers that must not outlive this process. */
const running = new Set<Child>();
const killRunning = (): void => running.forEach((child) => killGroup(child, "SIGKILL"));

/**
 * Starts a server without a shell, in a process group of its own, with a small environment, and in a sandbox
 * where its entry says so. A failure to start is its `error` event. Rejects with ToolError `unavailable`
 * where its working folder is not there, and where there is no sandbox for one that needs it.
 */
export async function startServer(
  settings: ServerSettings,
  sandbox: () => Promise<Sandbox>,
): Promise<RunningServer> {
  const line = await launchLine(settings, sandbox);
  const { program, args, cwd } = line;
  const env = { ...environment(settings.env), ...line.env };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: "pipe" });
  const killAll = (): void => killGroup(child, "SIGKILL");
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (words = (words + piece).slice(-2000)));
  child.stdin.on("error", () => undefined);
  if (running.size === 0) process.on("exit", killRunning);
  running.add(child);
  const gone = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("exit", () => {
      killAll();
      resolve();
    });
  });
  void gone.then(async () => {
    running.delete(child);
    await line.release();
    if (running.size === 0) process.removeListener("exit", killRunning);
  });
  return {
    child,
    lastWords: () => words,
    stop: async () => {
      child.stdin.end();
      const terminate = setTimeout(() => killGroup(child, "SIGTERM"), patience);
      const kill = setTimeout(killAll, 2 * patience);
      await gone;
      clearTimeout(terminate);
      clearTimeout(kill);
    },
  };
}
