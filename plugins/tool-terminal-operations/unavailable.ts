import { tmpdir } from "node:os";
import type { ProbeContext } from "@pergola/sdk";
import { commandLine } from "./command/command-line.ts";
import { settingsOf } from "./settings.ts";

/**
 * Tries the shell and the sandbox that the settings name. Says nothing of `sh` alone, which every system has.
 */
export async function unavailable(context: ProbeContext) {
  const settings = settingsOf(context);
  if (settings.shell === "sh" && settings.sandbox === "none") return undefined;
  const { program, args } = commandLine(settings, { workingDirectory: tmpdir(), folder: tmpdir() }, "exit 0");
  const { exitCode, stdout, stderr } = await context
    .spawn(program, args, { timeoutSeconds: 5 })
    .catch((error: Error) => ({ exitCode: 1, stdout: "", stderr: error.message }));
  if (exitCode === 0) return undefined;
  const tried = [`The shell "${settings.shell}"`];
  if (settings.sandbox !== "none") tried.push("its sandbox");
  return {
    reason: `${tried.join(" or ")} does not run here: ${(stderr + stdout).trim().slice(0, 200)}`,
    remedy:
      "Install the program (Debian: bubblewrap), or change tools.terminal.shell or tools.terminal.sandbox.",
  };
}
