import { ToolError } from "@pergola/sdk";
import type { Connection } from "./connection.ts";
import { runCommand, type CommandEnd } from "./run-command.ts";
import { abortReason } from "./settle.ts";
import { commandLine } from "./shell.ts";

const scriptSeconds = 20;

/**
 * Runs a short POSIX shell script of our own and gives its exit code and what it wrote. Rejects when it does
 * not end by itself.
 */
export async function runScript(
  connection: Connection,
  lines: readonly string[],
  {
    signal,
    seconds = scriptSeconds,
  }: { readonly signal?: AbortSignal | undefined; readonly seconds?: number },
): Promise<CommandEnd> {
  const line = commandLine("exec </dev/null", ...lines);
  const end = await runCommand(connection, line, { seconds, outputBytes: 64 << 10, signal });
  if (end.ending === "exit") return end;
  if (signal?.aborted === true) throw abortReason(signal);
  if (end.ending === "lost") return connection.ended;
  throw new ToolError("timeout", `${connection.target.name} did not answer within ${seconds} s.`, {
    hint: "A retry may help.",
  });
}
