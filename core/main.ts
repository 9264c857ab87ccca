#!/usr/bin/env node
import { AppError, PluginError } from "@pergola/sdk";
import packageJson from "./package.json" with { type: "json" };
import { exitCodes } from "./cli/exit-codes.ts";
import { makeProgram } from "./cli/program.ts";

const usageCodes = new Set(["invalid_value", "unknown_preference", "missing_field", "out_of_range"]);

function explain(error: unknown): number {
  const known = error as { readonly code?: string; readonly exitCode?: number };
  if (known.code?.startsWith("commander.") === true) return known.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const remedy = PluginError.is(error) ? `\n${error.remedy}` : "";
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${remedy}\n`);
  if (!AppError.is(error) && !PluginError.is(error) && process.env["PERGOLA_LOG_LEVEL"] === "debug")
    process.stderr.write(`${(error as Error).stack ?? ""}\n`);
  return AppError.is(error) && usageCodes.has(error.code) ? exitCodes.usage : exitCodes.unavailable;
}

try {
  let code: number = exitCodes.ok;
  await makeProgram(packageJson.version, (ended) => (code = ended)).parseAsync();
  process.exit(code);
} catch (error) {
  process.exit(explain(error));
}
