import { constants } from "node:os";
import { ToolError } from "@pergola/sdk";

/**
 * What to start. `folder` exists; `mark` goes into the environment; `onOutput` gets the output as it comes,
 * at a bounded rate.
 */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly mark: string;
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
const passedOn = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];

export function environment(added: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept = passedOn.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  return { ...Object.fromEntries(kept), TERM: "dumb", ...added };
}

export const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** The ToolError for a program that could not be started. */
export const notStarted = (program: string, cause: unknown): ToolError =>
  new ToolError("unavailable", `"${program}" could not be started.`, {
    hint:
      "Tell the person: the program is missing, or tools.terminal.shell or " +
      "tools.terminal.sandbox names one that is.",
    cause,
  });
