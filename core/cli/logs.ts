import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@pergola/sdk";
import { logFiles } from "../log-file.ts";
import { readSettings } from "../settings/read-settings.ts";
import { exitCodes } from "./exit-codes.ts";
import { isAtLeast, linesOf, readLogLine, type LogLine } from "./log-line.ts";
import { printLines, printNote } from "./print-result.ts";
import { readNote } from "./service-note.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface LogsOptions extends CommonOptions {
  readonly follow?: boolean;
  readonly plugin?: string;
  readonly level?: keyof Log;
  readonly lines?: number;
}

/** Milliseconds between two looks at the file. */
const pause = 250;

/**
 * Shows what the service of this data has logged, from its files, whether it runs or not; with `follow`, goes
 * on until Ctrl-C.
 */
export async function showLogs(options: LogsOptions): Promise<number> {
  const { reader } = await readSettings(settingsOf({ ...options, secretsMayMiss: true }));
  const { dataDirectory } = reader;
  const files = logFiles(dataDirectory);
  const [, newest] = files;
  const isThere = existsSync(newest) || existsSync(files[0]);
  const end = endOf(newest);
  const past = files.flatMap((file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n") : []));
  const lines = past.flatMap((text) => shown(text, options)).slice(-(options.lines ?? 50));
  printLines(lines);
  const runs = readNote(dataDirectory) !== undefined;
  if (!runs) printNote(isThere ? lastWords : noService);
  if (isThere && lines.length === 0) printNote(noneFits);
  if (options.follow) await follow(newest, end, options);
  return isThere || runs ? exitCodes.ok : exitCodes.unavailable;
}

const noService = "No service runs on this data, and none has left any lines. Start one with: pergola start";
const noneFits =
  "Nothing that fits was logged. `pergola plugins list` has the plugins; log.level says what is logged.";
const lastWords =
  "No service runs on this data; these are the lines of the last one. Start one with: pergola start";

/** The line as it is written to stdout; nothing for one that is not asked for. */
function shown(text: string, options: LogsOptions): readonly string[] {
  const line = readLogLine(text);
  if (line === undefined || !isAsked(line, options)) return [];
  return options.json ? [text] : sentences(line);
}

const isAsked = (line: LogLine, { plugin, level = "debug" }: LogsOptions): boolean =>
  isAtLeast(line, level) && (plugin === undefined || line.plugin === plugin);

function sentences(line: LogLine): readonly string[] {
  const time = new Date(line.time).toLocaleString("sv-SE");
  const who = line.plugin === "" ? "" : `${styled("bold", visible(line.plugin))}: `;
  return linesOf(line).map((text) => `${styled("dim", time)} ${line.level.padEnd(5)} ${who}${text}`);
}

const endOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Shows what is written behind `from`; a file that another one has replaced is read to its end first. */
async function follow(file: string, from: number, options: LogsOptions): Promise<never> {
  let [descriptor, at, rest] = [openFile(file), from, ""];
  for (;;) {
    if (descriptor !== undefined) {
      const text = rest + textBehind(descriptor, at);
      at += Buffer.byteLength(text) - Buffer.byteLength(rest);
      const lines = text.split("\n");
      rest = lines.pop() ?? "";
      printLines(lines.flatMap((line) => shown(line, options)));
    }
    const now = statSync(file, { throwIfNoEntry: false });
    if (now !== undefined && now.ino !== (descriptor && fstatSync(descriptor).ino)) {
      if (descriptor !== undefined) closeSync(descriptor);
      [descriptor, at, rest] = [openFile(file), 0, ""];
      continue;
    }
    await sleep(pause);
  }
}

const openFile = (file: string): number | undefined => (existsSync(file) ? openSync(file, "r") : undefined);

function textBehind(descriptor: number, at: number): string {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - at));
  return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, at));
}
