import type { TerminalSettings } from "../settings.ts";
import type { Place } from "./place.ts";
import { sandboxArguments } from "./sandbox.ts";

interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Runs the shell with its error output on its output, so that both come in order, whatever shell it is. It
 * stays as the parent, so that the exit code is a number also when a signal ends the shell.
 */
const merging = '"$@" 2>&1; exit $?';
/**
 * The same, for a command that lives on between calls: it gets no input, and ends when the host, which holds
 * the input's other end, does.
 */
const guarded = `exec 3<&0 </dev/null; { cat <&3; kill -9 0; } >/dev/null 2>&1 & exec 3<&-; ${merging}`;

function inSandbox(
  { program, args }: CommandLine,
  settings: TerminalSettings,
  place: Place,
  hasTerminal: boolean,
): CommandLine {
  if (settings.sandbox === "none") return { program, args };
  const bubble = sandboxArguments({ ...place, network: settings.network, hasTerminal });
  return { program: "bwrap", args: [...bubble, "--", program, ...args] };
}

/** The program that runs one command, its output and error output in one. */
export const commandLine = (
  settings: TerminalSettings,
  place: Place,
  command: string,
  script = merging,
): CommandLine =>
  inSandbox(
    { program: "sh", args: ["-c", script, "sh", settings.shell, "-c", command] },
    settings,
    place,
    false,
  );

/** The same, for a command that lives on after the call. */
export const backgroundLine = (settings: TerminalSettings, place: Place, command: string): CommandLine =>
  commandLine(settings, place, command, guarded);

/** The program of a shell that waits for input. */
export const shellLine = (settings: TerminalSettings, place: Place): CommandLine =>
  inSandbox({ program: settings.shell, args: [] }, settings, place, true);
