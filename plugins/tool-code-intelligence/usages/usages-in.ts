import type { ToolContext } from "@pergola/sdk";
import { readCode } from "../files/read-code.ts";
import { SymbolThread } from "../symbol-thread.ts";
import type { Usage } from "../symbols/find-usages.ts";
import { isPlainCode, plainUsages } from "../symbols/plain-usages.ts";
import { languageOf } from "../symbols/languages.ts";
import type { UsageKind } from "../symbols/language.ts";
import { Lines } from "./lines.ts";
import { Tally } from "./tally.ts";

export type FoundUsage = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: string;
  readonly kind: UsageKind;
};

export interface Findings {
  readonly usages: readonly FoundUsage[];
  /** All there are of each kind; beyond the limit they are counted, not given. */
  readonly counts: Readonly<Record<UsageKind, number>>;
}

/** Whether a file is code, as far as symbols can be told in it. */
export const hasSymbols = (file: string): boolean => languageOf(file) !== undefined || isPlainCode(file);

export interface Wanted {
  readonly symbol: string;
  readonly contextLines: number;
  /** Usages given at most. */
  readonly limit: number;
}

const progressEvery = 500;

/**
 * Every usage of a symbol in the given files: definitions first, then declarations, then all else in the
 * order of the files.
 */
export async function usagesIn(
  context: ToolContext,
  files: readonly string[],
  wanted: Wanted,
): Promise<Findings> {
  const thread = new SymbolThread(context.signal);
  const tally = new Tally<FoundUsage>(wanted.limit);
  try {
    for (const [index, file] of files.entries()) {
      if (index % progressEvery === progressEvery - 1)
        context.progress(`Looked into ${index + 1} of ${files.length} files`);
      tally.add(await usagesInFile(context, thread, file, wanted));
    }
  } finally {
    await thread.end();
  }
  return tally;
}

/** Only a file that contains the symbol is parsed; what a link leads to is seen where it is. */
async function usagesInFile(
  context: ToolContext,
  thread: SymbolThread,
  file: string,
  wanted: Wanted,
): Promise<readonly FoundUsage[]> {
  const text = await readCode(context, file);
  if (text?.includes(wanted.symbol) !== true) return [];
  if ((await context.files.stat(file))?.kind !== "file") return [];
  const lines = new Lines(text);
  return (await usagesOf(thread, file, text, wanted.symbol)).map(({ at, kind }) => {
    const { line, column } = lines.position(at);
    return { file, line, column, context: lines.around(line, column, wanted.contextLines), kind };
  });
}

/** By the file's grammar; by the words around the symbol where there is none, or where it gives up. */
async function usagesOf(
  thread: SymbolThread,
  path: string,
  text: string,
  symbol: string,
): Promise<readonly Usage[]> {
  if (languageOf(path) === undefined) return plainUsages(path, text, symbol);
  const answer = await thread.ask({ path, text, symbol });
  return "usages" in answer ? answer.usages : plainUsages(path, text, symbol);
}
