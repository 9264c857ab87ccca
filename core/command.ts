import { AppError, PluginError } from "@pergola/sdk";
import packageJson from "./package.json" with { type: "json" };
import { Answer } from "./cli/ask.ts";
import { exitCodes } from "./cli/exit-codes.ts";
import { printNote } from "./cli/print-result.ts";
import { makeProgram } from "./cli/program.ts";
import { closeDescriptors } from "./close-descriptors.ts";

const usageCodes = new Set([
  "invalid_value",
  "unknown_preference",
  "missing_field",
  "out_of_range",
  "not_found",
  "in_use",
  "set_elsewhere",
]);

/** Prints the message of a failure and returns the exit code. */
function explain(error: unknown): number {
  if (isCommanderError(error)) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const { message = String(error), stack = "" } = error as Partial<Error>;
  printNote(message);
  if (PluginError.is(error)) {
    printNote(error.remedy);
    return exitCodes.unavailable;
  }
  if (AppError.is(error)) return exitCodeOf(error);
  if (process.env["PERGOLA_LOG_LEVEL"] === "debug") printNote(stack);
  return exitCodes.failed;
}

/** commander has already printed its message. */
const isCommanderError = (error: unknown): error is { readonly exitCode?: number } =>
  String((error as { readonly code?: unknown }).code).startsWith("commander.");

function exitCodeOf({ code, cause }: AppError): number {
  if (usageCodes.has(code)) return exitCodes.usage;
  return cause instanceof Answer ? exitCodes.failed : exitCodes.unavailable;
}

/** If the reader of the output has gone, the command still finishes its work. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/**
 * Whoever may send this signal would open Node's inspector, through which the whole process can be read and
 * changed. A listener of one's own keeps it closed.
 */
process.on("SIGUSR1", () => undefined);

closeDescriptors();

makeProgram(packageJson.version, process.argv[2])
  .parseAsync()
  .then(
    () => process.exit(),
    (error: unknown) => process.exit(explain(error)),
  );
