import { spawnSync } from "node:child_process";
import { messageOf } from "@pergola/sdk";
import type { Environment } from "@pergola/sdk/host";
import { openDataDirectory } from "../settings/folders.ts";
import { isSecretName, keyVariables } from "../settings/key-variables.ts";
import { readSettings } from "../settings/read-settings.ts";
import { forgetValues, leaveValues, takeValues } from "./hand-over.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";

/** As `process.execve`, which Node has from 22.15 on. */
export type Execute = (file: string, args: readonly string[], environment: Environment) => void;

export interface CleanStart {
  /** The variables, the keys among them. */
  readonly environment: Environment;
  /** Variables with keys that other programs of the account can read as long as this process runs. */
  readonly exposed: readonly string[];
  /** Why they are; empty where none is. */
  readonly reason: string;
}

/** `process.execve`, where this Node has it. */
export const execve = (process as { readonly execve?: Execute }).execve;

const isTooOld = `Node ${process.versions.node} cannot forget the variables it was started with; 22.15 can`;

/**
 * Takes the keys out of the block of variables that the system shows of this process, by executing it anew
 * without them: a variable that is deleted stays there. They come along in a file that is removed first.
 * Returns in the new process, or where that cannot be done.
 */
export async function startClean(options: CommonOptions, execute = execve): Promise<CleanStart> {
  const settings = settingsOf(options);
  const dataDirectory = openDataDirectory(settings.data, settings);
  const taken = takeValues(dataDirectory, process.env);
  if (taken !== undefined) return { environment: { ...process.env, ...taken }, exposed: [], reason: "" };
  const exposed = keyVariables(await readSettings(settings), process.env, isSecretName);
  const reason = exposed.length === 0 ? "" : executeAnew(exposed, dataDirectory, execute);
  return { environment: process.env, exposed, reason };
}

/** Gives back why it could not be done. */
function executeAnew(names: readonly string[], dataDirectory: string, execute: Execute | undefined): string {
  if (execute === undefined) return isTooOld;
  const values = names.map((name) => [name, process.env[name] ?? ""] as const);
  const rest = Object.entries(process.env).filter(([name]) => !names.includes(name));
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
  try {
    checkExecutable();
    const key = leaveValues(dataDirectory, Object.fromEntries(values));
    execute(process.execPath, args, { ...Object.fromEntries(rest), ...key });
    return "the process was not replaced";
  } catch (error) {
    return messageOf(error);
  } finally {
    forgetValues(dataDirectory);
  }
}

/** Node aborts where the system refuses to execute it: whether it can is tried before. */
function checkExecutable(): void {
  if (process.channel !== undefined)
    throw new Error("the program that started it talks to it over a channel");
  const { status, error } = spawnSync(process.execPath, ["--version"], { env: {}, stdio: "ignore" });
  if (status !== 0) throw new Error(`${process.execPath} cannot be executed (${error?.message ?? status})`);
}
