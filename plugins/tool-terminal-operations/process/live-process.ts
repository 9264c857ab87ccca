import { constants } from "node:os";
import { defined, ToolError } from "@pergola/sdk";

/**
 * What to start. `folder` exists; `mark` goes into the environment; `onOutput` gets the output as it comes,
 * at a bounded rate.
 */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly mark: string;
  /** Variables that it needs beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
}

/** A program that lives on between calls. */
export interface LiveProcess {
  /** Also the id of its process group. */
  readonly pid: number;
  /** Whether it has a terminal of its own, with echo and control keys. */
  readonly hasTerminal: boolean;
  /**
   * The exit code as shells count it: 128 + the signal's number when a signal ended it. Comes after the last
   * output.
   */
  readonly ended: Promise<number>;
  write(text: string): void;
}

/** All that a program gets to see of the service's own environment: no key, no token, no secret. */
const inheritedVariables = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];

export function environment(added: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const inherited = Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]]));
  return { ...defined(inherited), TERM: "dumb", ...added };
}

export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return 128 + ((signal && constants.signals[signal]) ?? 0);
}

/** The ToolError for a program that could not be started. */
export const notStarted = (program: string, cause: unknown): ToolError =>
  new ToolError("unavailable", `"${program}" could not be started.`, {
    hint: "Tell the person: the program is missing, or tools.terminal.shell names one that is.",
    cause,
  });
