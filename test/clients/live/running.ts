import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** How a client is started for one turn. */
export interface Command {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads; its input is empty otherwise. */
  readonly input?: string;
}

/** The end of a program; `late` when it had to be stopped after its deadline. */
export interface End {
  readonly code: number | NodeJS.Signals;
  readonly late: boolean;
}

/** A client at work. */
export interface Running {
  readonly stdout: string;
  /** Both streams. */
  readonly output: string;
  readonly ended: Promise<End>;
  readonly isOver: boolean;
  /** True once the text stands in the output; false when the program has ended without. */
  wrote(text: string): Promise<boolean>;
  interrupt(): void;
}

/** A client gets as long for one turn, then it is stopped. */
const deadline = 90_000;

const begun = new Set<ChildProcess>();

/** Clients start programs of their own, which go with them. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // It has ended.
  }
}

export const killAll = (): void => begun.forEach((child) => kill(child, "SIGKILL"));
process.once("exit", killAll);

function environmentOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/environ`, "utf8");
  } catch {
    // It has ended, or the system has no such files.
    return "";
  }
}

/** Ends what a client left running in a session of its own: what has its home below the folder. */
export function killBelow(folder: string): void {
  const processes = process.platform === "linux" ? readdirSync("/proc") : [];
  for (const id of processes.filter((name) => /^\d+$/.test(name)))
    if (environmentOf(id).includes(`HOME=${folder}`)) process.kill(Number(id), "SIGKILL");
}

async function endOf(child: ChildProcess): Promise<End> {
  const stop = new AbortController();
  const closed = once(child, "close").then(([code, signal]) => (code ?? signal) as End["code"]);
  const timeout = setTimeout(deadline, "late" as const, { signal: stop.signal }).catch(() => "late" as const);
  const late = (await Promise.race([closed, timeout])) === "late";
  stop.abort();
  // What a client leaves behind would keep its streams open.
  kill(child, "SIGKILL");
  begun.delete(child);
  return { code: await closed, late };
}

/** Starts a program with an environment of its own, nothing of the machine's user in it. */
export function run(command: Command, folder: string, environment: Record<string, string>): Running {
  const [program = "", ...words] = command.words;
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...environment, ...command.environment },
    detached: true,
  });
  begun.add(child);
  const output = { stdout: "", both: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output.both += text;
      if (name === "stdout") output.stdout += text;
      child.emit("wrote");
    });
  child.on("error", (error) => (output.both += String(error)));
  child.stdin.on("error", () => undefined).end(command.input ?? "");
  let isOver = false;
  const ended = endOf(child).finally(() => (isOver = true));
  return {
    get isOver() {
      return isOver;
    },
    get stdout() {
      return output.stdout;
    },
    get output() {
      return output.both;
    },
    ended,
    wrote: async (text) => {
      const over = ended.then(() => "over" as const);
      for (;;) {
        if (output.both.includes(text)) return true;
        const next = await Promise.race([once(child, "wrote"), over]);
        if (next === "over") return output.both.includes(text);
      }
    },
    interrupt: () => kill(child, "SIGINT"),
  };
}
