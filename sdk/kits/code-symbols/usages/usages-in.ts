import type { ToolContext } from "@pergola/sdk";
import { isPlainCode, plainUsages } from "../find/plain-usages.ts";
import type { UsageKind } from "../languages/language.ts";
import { languageOf } from "../languages/languages.ts";
import { ParserThread } from "../parser-thread.ts";
import { Lines } from "./lines.ts";
import { readCode } from "./read-code.ts";
import { Tally } from "./tally.ts";

/** One place that names a symbol. Line and column start at 1; columns are UTF-16 units. */
export type FoundUsage = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: string;
  readonly kind: UsageKind;
};

export interface Findings {
  readonly usages: readonly FoundUsage[];
  /** How many of each kind there are, those beyond the limit included. */
  readonly counts: Readonly<Record<UsageKind, number>>;
}

export interface SymbolSearch {
  readonly symbol: string;
  /** Lines to show before and after the line of a usage. */
  readonly contextLines: number;
  /** The most usages to return. */
  readonly limit: number;
}

/** Whether `usagesIn` can find symbols in a file, judged by its extension. */
export const hasSymbols = (file: string): boolean => languageOf(file) !== undefined || isPlainCode(file);

const progressEvery = 500;

/**
 * Finds every usage of a symbol in the given files: definitions first, then declarations, then all else in
 * the order of the files. Comments and strings do not count. Reads files through `context.files`, reports
 * progress, and parses in a thread. Rejects with the signal's reason on a cancel.
 */
export async function usagesIn(
  context: ToolContext,
  files: readonly string[],
  search: SymbolSearch,
): Promise<Findings> {
  const thread = new ParserThread(context.signal);
  const tally = new Tally<FoundUsage>(search.limit);
  try {
    for (const [index, file] of files.entries()) {
      if (index % progressEvery === progressEvery - 1)
        context.progress(`Looked into ${index + 1} of ${files.length} files`);
      tally.add(await usagesInFile(context, thread, file, search));
    }
  } finally {
    await thread.end();
  }
  return tally;
}

/**
 * Parses only files that contain the symbol; where there is no grammar, or it fails, the words around the
 * symbol decide. Skips links: their targets are files of their own.
 */
async function usagesInFile(
  context: ToolContext,
  thread: ParserThread,
  file: string,
  { symbol, contextLines }: SymbolSearch,
): Promise<readonly FoundUsage[]> {
  const text = await readCode(context, file);
  if (text?.includes(symbol) !== true) return [];
  if ((await context.files.stat(file))?.kind !== "file") return [];
  const lines = new Lines(text);
  const parsed = languageOf(file) && (await thread.usages(file, text, symbol));
  return (parsed ?? plainUsages(file, text, symbol)).map(({ at, kind }) => {
    const { line, column } = lines.position(at);
    return { file, line, column, context: lines.around(line, column, contextLines), kind };
  });
}
