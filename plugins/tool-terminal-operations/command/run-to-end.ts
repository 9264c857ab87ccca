import { ToolError, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { killMarked, markedWith, newMark } from "../process/mark.ts";
import { settingsOf } from "../settings.ts";
import { plainText } from "../text/plain-text.ts";
import { commandLine } from "./command-line.ts";
import { sandboxOf, type Place } from "./place.ts";
import { progressReader } from "./progress-reader.ts";

/** Bytes kept of a command's output. */
const outputBytes = 1_048_576;

export interface CommandEnd {
  readonly output: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

/**
 * Runs a command through the host's door and waits for its end. After a time-out or a cancel nobody of it is
 * left, also not in a process group of its own. Throws ToolError when it could not be started or was
 * cancelled.
 */
export async function runToEnd(
  context: ToolContext,
  place: Place,
  command: string,
  timeoutSeconds: number,
): Promise<CommandEnd> {
  const mark = newMark();
  const { program, args } = commandLine(settingsOf(context), command);
  const options = {
    cwd: place.folder,
    env: markedWith(mark),
    timeoutSeconds,
    maxOutputBytes: outputBytes,
    onOutput: progressReader(context),
    ...sandboxOf(place),
  };
  let result: SpawnResult | undefined;
  try {
    result = await context.spawn(program, args, options);
  } finally {
    if (result?.timedOut !== false) await killMarked(mark);
  }
  if (result.stderr.startsWith("bwrap: ")) throw noSandbox(result.stderr);
  return { ...result, output: plainText(result.stdout + result.stderr) };
}

/** What the sandbox says when it could not be made: the command's own error output goes another way. */
const noSandbox = (output: string): ToolError =>
  new ToolError("unavailable", `The sandbox could not be made: ${plainText(output).trim()}`, {
    hint: "Tell the person: bubblewrap does not work here, and sandbox.programs asks for one.",
  });
