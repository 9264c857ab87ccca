import { createRequire } from "node:module";
import { environment, notStarted, type Launch, type LiveProcess } from "./live-process.ts";
import { markedWith } from "./mark.ts";
import { paced } from "./paced.ts";
import { startPiped } from "./start-piped.ts";

/** As much of node-pty as is used here. */
interface Terminal {
  readonly pid: number;
  onData(listener: (text: string) => void): void;
  onExit(listener: (end: { readonly exitCode: number; readonly signal?: number }) => void): void;
  write(text: string): void;
  pause(): void;
  resume(): void;
}

interface TerminalLibrary {
  spawn(program: string, args: readonly string[], options: object): Terminal;
}

/** Wide, so that few lines are wrapped. */
const size = { cols: 200, rows: 50 };

/**
 * Loaded with the first terminal. Undefined where it could not be built: it is optional, and everything else
 * works without it.
 */
function load(): TerminalLibrary | undefined {
  try {
    return createRequire(import.meta.url)("node-pty") as TerminalLibrary;
  } catch {
    return undefined;
  }
}

/**
 * Starts a program on a terminal of its own, or on pipes where node-pty is missing. It outlives the call.
 * Throws ToolError `unavailable`.
 */
export async function startTerminal(launch: Launch, loadLibrary = load): Promise<LiveProcess> {
  const pty = loadLibrary();
  if (pty === undefined) return startPiped(launch);
  return open(pty, launch);
}

function open(pty: TerminalLibrary, { program, args, folder, mark, env, onOutput }: Launch): LiveProcess {
  try {
    const terminal = pty.spawn(program, [...args], {
      name: "dumb",
      ...size,
      cwd: folder,
      env: environment({ ...env, ...markedWith(mark) }),
    });
    terminal.onData(paced(onOutput, terminal));
    const ended = new Promise<number>((resolve) => {
      terminal.onExit(({ exitCode, signal = 0 }) => resolve(signal === 0 ? exitCode : 128 + signal));
    });
    return { pid: terminal.pid, hasTerminal: true, ended, write: (text) => terminal.write(text) };
  } catch (cause) {
    throw notStarted(program, cause);
  }
}
