import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Usage } from "../syntax/find-usages.ts";
import { languageOf } from "../syntax/languages.ts";
import { isPlainCode, plainUsages } from "../syntax/plain-usages.ts";
import type { UsageKind } from "../syntax/rules.ts";
import { SyntaxThread } from "../syntax/syntax-thread.ts";
import { codeText } from "./code-files.ts";

const longestLine = 300;

export type FoundUsage = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: string;
  readonly kind: UsageKind;
};

/** Whether a file is code, as far as symbols can be told in it. */
export const hasSymbols = (file: string): boolean => languageOf(file) !== undefined || isPlainCode(file);

/** The last name of a path of names: `name` in `Class.name`, `module::name`, `$object->name`. */
export const lastName = (symbol: string): string =>
  symbol
    .trim()
    .split(/\.|::|->|#|\\|\//)
    .at(-1)
    ?.replace(/^[$@:]+|\(\)$/g, "") ?? "";

/** Every usage of a symbol in the given files; only those that contain it are parsed. */
export async function usagesIn(
  context: ToolContext,
  files: readonly string[],
  symbol: string,
): Promise<readonly FoundUsage[]> {
  const thread = new SyntaxThread(context.signal);
  const found: FoundUsage[] = [];
  try {
    for (const file of files) {
      const text = await codeText(context, file);
      if (text?.includes(symbol) !== true) continue;
      const lines = text.split(/\r?\n/);
      const usages = await usagesOf(thread, file, text, symbol);
      found.push(
        ...usages.map(({ line, column, kind }) => ({
          file,
          line,
          column,
          context: (lines[line - 1] ?? "").trim().slice(0, longestLine),
          kind,
        })),
      );
    }
  } finally {
    await thread.end();
  }
  return found;
}

/** By the file's grammar; by the words around it where there is none, or where it fails. */
async function usagesOf(
  thread: SyntaxThread,
  path: string,
  text: string,
  symbol: string,
): Promise<readonly Usage[]> {
  if (languageOf(path) === undefined) return plainUsages(text, symbol);
  try {
    return await thread.ask({ want: "usages", path, text, symbol });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return plainUsages(text, symbol);
  }
}
