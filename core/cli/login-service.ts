import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "@pergola/sdk";
import type { CommonOptions } from "./common-options.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { serviceManager } from "./login-service/manager.ts";
import { startCommand } from "./login-service/start-command.ts";
import { printNote, printResult } from "./print-result.ts";

/** `pergola service install`: starts it now, and at each login. Once more, it takes over the new options. */
export async function installService(options: CommonOptions): Promise<number> {
  const { file, text, start, hints } = serviceManager();
  mkdirSync(path.dirname(file()), { recursive: true });
  writeFileSync(file(), text(startCommand(options)));
  const fault = await start().then(() => undefined, messageOf);
  if (fault !== undefined) {
    printNote(`${file()} is written, but could not be started:\n${fault}`);
    printNote("Until it can, `pergola start` serves. `pergola service uninstall` removes the file.");
    return exitCodeOf(false);
  }
  const lines = [`Pergola runs now, and starts at each login (${file()}).`, ...hints];
  printResult(options, { installed: true, running: true, file: file() }, lines);
  return exitCodeOf(true);
}

/** `pergola service status`: ends with 0 where it runs. */
export async function serviceStatus(options: CommonOptions): Promise<number> {
  const { file, isRunning, hints } = serviceManager();
  const installed = existsSync(file());
  const running = installed && (await isRunning());
  const state = running ? "It runs." : "It does not run.";
  const lines = installed
    ? [`Installed: ${file()}`, state, ...hints]
    : ["Not installed. Install it with: pergola service install"];
  printResult(options, { installed, running, file: file() }, lines);
  return exitCodeOf(running);
}

/** `pergola service uninstall`: stops it and removes its file; settings and data stay. */
export async function uninstallService(options: CommonOptions): Promise<void> {
  const { file, stop, forget } = serviceManager();
  const installed = existsSync(file());
  if (installed) {
    const fault = await stop().then(() => undefined, messageOf);
    if (fault !== undefined) printNote(fault);
    rmSync(file());
    await forget().catch(() => undefined);
  }
  const line = installed ? `Removed ${file()}. Settings and data stay as they are.` : "It was not installed.";
  printResult(options, { installed: false, removed: installed, file: file() }, [line]);
}
