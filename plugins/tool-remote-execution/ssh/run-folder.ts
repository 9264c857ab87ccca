import { randomBytes } from "node:crypto";
import { ToolError } from "@pergola/sdk";
import type { Connection } from "./connection.ts";
import { runScript } from "./run-script.ts";
import { commandLine, quote, quotePath } from "./shell.ts";

const noWorkingFolder = 72;
/** Seconds to kill what runs and to clear up after a time-out or a cancel. */
const cleanupSeconds = 1;

/**
 * How folders of calls are called, for cleanup_remote: those that were to be kept, and those of calls that
 * were cut off.
 */
export const folderPatterns = { kept: "/tmp/pergola-kept-*", cut: "/tmp/pergola-run-*" };

/**
 * A call's own temporary folder on the machine, known to its command as TMPDIR. Only the account itself can
 * enter it.
 */
export class RunFolder {
  readonly path: string;
  readonly #connection: Connection;
  readonly #keep: boolean;

  constructor(connection: Connection, keep: boolean) {
    const kind = keep ? "kept" : "run";
    this.path = `/tmp/pergola-${kind}-${randomBytes(8).toString("hex")}`;
    this.#connection = connection;
    this.#keep = keep;
  }

  /** Makes the folder. Throws `not_found` when the working folder is not there; then nothing was made. */
  async make(workingFolder: string, signal: AbortSignal): Promise<void> {
    const lines = [
      `cd -- ${quotePath(workingFolder)} || exit ${noWorkingFolder}`,
      `umask 077; mkdir -- ${quote(this.path)}`,
    ];
    const { exitCode, stderr } = await runScript(this.#connection, lines, { signal });
    if (exitCode === 0) return;
    const { name } = this.#connection.target;
    if (exitCode === noWorkingFolder)
      throw new ToolError("not_found", `${name} has no folder ${workingFolder} that can be entered.`, {
        hint: "Give another working_dir.",
      });
    throw new ToolError("generic_error", `${name} could not make ${this.path}: ${stderr.trim()}`, {
      hint: "The account needs a POSIX shell and a writable /tmp; check_remote tells more.",
    });
  }

  /**
   * The line that runs a command in the working folder. Its process id is noted, so that it can be stopped.
   */
  lineFor(command: string, workingFolder: string): string {
    return commandLine(
      "exec </dev/null",
      `TMPDIR=${quote(this.path)}; export TMPDIR`,
      'echo $$ >"$TMPDIR/.pid"',
      `cd -- ${quotePath(workingFolder)} || exit ${noWorkingFolder}`,
      command,
    );
  }

  /** Kills the command's process group, then clears up. Says whether it could. */
  async stop(): Promise<boolean> {
    const pid = quote(`${this.path}/.pid`);
    return this.#runCleanup(
      `pid=$(cat ${pid}) && { kill -s KILL -- "-$pid" || kill -s KILL "$pid"; } 2>/dev/null`,
      this.#removal(),
    );
  }

  /** Removes the folder unless it is to be kept. Says whether it could. */
  async clear(): Promise<boolean> {
    return this.#keep || this.#runCleanup(this.#removal());
  }

  #removal(): string {
    if (this.#keep) return ":";
    return `rm -rf -- ${quote(this.path)}`;
  }

  async #runCleanup(...lines: readonly string[]): Promise<boolean> {
    const end = await runScript(this.#connection, lines, { seconds: cleanupSeconds }).catch(() => undefined);
    return end?.exitCode === 0;
  }
}
