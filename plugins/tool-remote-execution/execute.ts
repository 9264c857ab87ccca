import { ToolError, type FromProperties, type ToolContext } from "@pergola/sdk";
import type { Copied } from "./files/copy-budget.ts";
import { collectOutputs } from "./files/collect-outputs.ts";
import { lineReporter } from "./line-reporter.ts";
import type { commandParameters } from "./parameters.ts";
import type { Connection } from "./ssh/connection.ts";
import { runCommand, type CommandEnd, type CommandLimits } from "./ssh/run-command.ts";
import { RunFolder } from "./ssh/run-folder.ts";
import { abortReason } from "./ssh/settle.ts";

/** What a call to run a command asks for. */
export type CommandArguments = FromProperties<typeof commandParameters, "command">;

export interface ExecuteOptions {
  /** Bytes kept of each of stdout and stderr. */
  readonly outputBytes: number;
  /** Where output files go, relative to the working directory. */
  readonly folder: string;
  readonly report: (line: string) => void;
}

export type RemoteResult = {
  readonly host: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds. */
  readonly duration: number;
  readonly outputFiles: readonly Copied[];
};

/**
 * Runs a command on a machine, copies its output files here and clears up. `notes` are sentences for the
 * model.
 */
export async function execute(
  connection: Connection,
  request: CommandArguments,
  context: ToolContext,
  options: ExecuteOptions,
) {
  const begun = context.clock.now();
  const folder = new RunFolder(connection, !request.cleanup);
  await folder.make(request.working_dir, context.signal).catch((error: unknown) => clearAfter(folder, error));
  const line = folder.lineFor(request.command, request.working_dir);
  const limits = { seconds: request.timeout, outputBytes: options.outputBytes, signal: context.signal };
  const end = await runReporting(connection, line, limits, options.report);
  if (end.ending !== "exit") {
    if (end.ending !== "lost") await folder.stop();
    throw stopped(connection.target.label, request.timeout, end, context.signal);
  }
  const source = {
    workingFolder: request.working_dir,
    temporaryFolder: folder.path,
    names: request.output_files,
  };
  const outputs = await collectOutputs(connection, source, options.folder, context).catch((error: unknown) =>
    clearAfter(folder, error),
  );
  const cleared = await folder.clear();
  const duration = (context.clock.now() - begun) / 1000;
  const { exitCode, stdout, stderr } = end;
  return {
    result: { host: connection.target.label, exitCode, stdout, stderr, duration, outputFiles: outputs.saved },
    notes: [...notesOn(end, request, folder, cleared), ...outputs.notes],
  };
}

async function clearAfter(folder: RunFolder, error: unknown): Promise<never> {
  await folder.clear();
  throw error;
}

/** Runs a command line while its newest line of output is reported. */
async function runReporting(
  connection: Connection,
  line: string,
  limits: CommandLimits,
  report: ExecuteOptions["report"],
): Promise<CommandEnd> {
  const reporter = lineReporter(report);
  try {
    return await runCommand(connection, line, { ...limits, onOutput: reporter.push });
  } finally {
    reporter.stop();
  }
}

const notesOn = (
  { truncated, killedBy }: CommandEnd,
  { cleanup }: CommandArguments,
  folder: RunFolder,
  cleared: boolean,
): readonly string[] =>
  [
    killedBy !== undefined && `The command was ended by ${killedBy}.`,
    truncated && "The output was cut; write it to a file and retrieve that.",
    !cleanup && `Its temporary folder ${folder.path} was kept; cleanup_remote removes it.`,
    !cleared && `Its temporary folder ${folder.path} could not be removed.`,
  ].filter((note) => note !== false);

const tail = ({ stdout, stderr }: CommandEnd): string => {
  const texts = [stdout, stderr].map((output) => output.slice(-2000).trim()).filter(Boolean);
  if (texts.length === 0) return "";
  return ` Its output ends with:\n${texts.join("\n")}`;
};

/** Why a command that was started has no result. */
function stopped(host: string, timeout: number, end: CommandEnd, signal: AbortSignal): ToolError {
  const failure = (code: string, reason: string, hint: string): ToolError =>
    new ToolError(code, `${host}: ${reason}.${tail(end)}`, { hint });
  if (end.ending === "cancelled") return abortReason(signal);
  if (end.ending === "timeout")
    return failure(
      "timeout",
      `the command did not end within ${timeout} s and was stopped`,
      "Raise timeout, or start long work in the background with nohup and look at it later.",
    );
  if (end.ending === "flood")
    return failure(
      "generic_error",
      "the command wrote more than 64 MiB and was stopped",
      "Send its output to a file on the machine.",
    );
  return failure(
    "outcome_unknown",
    "the connection was lost while the command ran; it may run on",
    "Look at the machine before you repeat the command, and tell the person.",
  );
}
