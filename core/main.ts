#!/usr/bin/env node
import { AppError, PluginError } from "@pergola/sdk";
import packageJson from "./package.json" with { type: "json" };
import { exitCodes } from "./cli/exit-codes.ts";
import { makeProgram } from "./cli/program.ts";

const usageCodes = new Set(["invalid_value", "unknown_preference", "missing_field", "out_of_range"]);

function explain(error: unknown): number {
  const {
    code = "",
    exitCode,
    message = String(error),
    cause,
    stack,
  } = error as Partial<AppError> & { readonly exitCode?: number };
  if (String(code).startsWith("commander.")) return exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  process.stderr.write(`${message}${PluginError.is(error) ? `\n${error.remedy}` : ""}\n`);
  if (PluginError.is(error)) return exitCodes.unavailable;
  if (AppError.is(error) && usageCodes.has(code)) return exitCodes.usage;
  if (AppError.is(error)) return cause instanceof Response ? exitCodes.failed : exitCodes.unavailable;
  if (process.env["PERGOLA_LOG_LEVEL"] === "debug") process.stderr.write(`${stack ?? ""}\n`);
  return exitCodes.failed;
}

/** Whoever read the output may have gone: what was begun is ended all the same. */
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  let code: number = exitCodes.ok;
  await makeProgram(packageJson.version, (ended) => (code = ended)).parseAsync();
  process.exit(code);
} catch (error) {
  process.exit(explain(error));
}
