import type { TerminalSettings } from "../settings.ts";

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

/** The program that runs one command, its output and error output in one. */
export const commandLine = (
  { shell }: Pick<TerminalSettings, "shell">,
  command: string,
  script = merging,
): CommandLine => ({ program: "sh", args: ["-c", script, "sh", shell, "-c", command] });

/** The same, for a command that lives on after the call. */
export const backgroundLine = (settings: TerminalSettings, command: string): CommandLine =>
  commandLine(settings, command, guarded);

/** The program of a shell that waits for input. */
export const shellLine = ({ shell }: TerminalSettings): CommandLine => ({ program: shell, args: [] });
