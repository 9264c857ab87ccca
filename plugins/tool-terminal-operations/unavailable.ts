import { ToolError, type ProbeContext } from "@pergola/sdk";
import { commandLine } from "./command/command-line.ts";
import { settingsOf } from "./settings.ts";

/** A sandbox for a try: nothing is written, nothing is reached. */
const sealed = { cwd: "/", sandbox: { kind: "command", write: [], keep: [], network: "none" } } as const;

/** Tries the shell that the settings name, in the sandbox that they ask for. */
export async function unavailable(context: ProbeContext) {
  const settings = settingsOf(context);
  const mode = await context.preference("sandbox.programs");
  const isRequired = mode === "required" || mode === "bubblewrap";
  if (settings.shell === "sh" && !isRequired) return undefined;
  const { program, args } = commandLine(settings, "exit 0");
  const { exitCode, stdout, stderr } = await context
    .spawn(program, args, { timeoutSeconds: 5, ...(isRequired && sealed) })
    .catch((error: Error) => ({ exitCode: 1, stdout: "", stderr: wordsOf(error) }));
  if (exitCode === 0) return undefined;
  const tried = isRequired ? `"${settings.shell}" in a sandbox` : `"${settings.shell}"`;
  return {
    reason: `The shell ${tried} does not run here: ${(stderr + stdout).trim().slice(0, 300)}`,
    remedy: "Install the program (Debian: bubblewrap), or change tools.terminal.shell or sandbox.programs.",
  };
}

const wordsOf = (error: Error): string =>
  ToolError.is(error) ? `${error.message} ${error.hint}` : error.message;
