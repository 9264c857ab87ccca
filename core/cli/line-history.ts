import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readSettings } from "../settings/read-settings.ts";
import { settingsOf, type CommonOptions } from "./common-options.ts";
import { printDim } from "./print-result.ts";

/** Lines that are brought back, and how long one may be, in characters. */
export const [mostLines, longestLine] = [1000, 4000] as const;

/** Bytes of the file above which its older lines go. */
const mostBytes = 1_048_576;

/** The history in a data directory: readable by its account alone, and in no backup. */
export const historyFile = (dataDirectory: string): string => path.join(dataDirectory, "chat-history");

/** What a person has entered, the newest first; kept from one program to the next where there is a file. */
export class LineHistory {
  lines: string[] = [];
  #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    this.#try((name) => (this.lines = readLines(name)));
  }

  /** Takes over the lines that the terminal has after another one was entered. */
  replace(lines: string[]): void {
    this.lines = lines;
    const [entered = ""] = lines;
    if (entered.length <= longestLine)
      this.#try((name) => appendFileSync(name, `${entered}\n`, { mode: 0o600 }));
  }

  /** Where the file cannot be used, this is said once, and the chat goes on. */
  #try(use: (file: string) => void): void {
    if (this.#file === undefined) return;
    try {
      use(this.#file);
    } catch (error) {
      this.#file = undefined;
      printDim(`What you enter is not kept for the next chat: ${(error as Error).message}`);
    }
  }
}

/** The newest lines of the file, the newest first. Cuts a file that has grown too large. */
function readLines(file: string): string[] {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return [];
  const isShown = (line: string): boolean => line !== "" && !/(?!\t)\p{Cc}/u.test(line);
  const lines = readFileSync(file, "utf8").split("\n").filter(isShown).slice(-mostLines);
  if (size > mostBytes) {
    writeFileSync(`${file}.new`, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return lines.reverse();
}

/** The history of the chats of this data; with `history` false one that is kept nowhere. */
export async function openHistory(
  options: CommonOptions & { readonly history?: boolean },
): Promise<LineHistory> {
  if (options.history === false) return new LineHistory();
  const { reader } = await readSettings(settingsOf({ ...options, secretsMayMiss: true }));
  return new LineHistory(historyFile(reader.dataDirectory));
}
