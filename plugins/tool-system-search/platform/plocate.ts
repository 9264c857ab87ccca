import path from "node:path";
import { isBelow } from "@pergola/sdk";
import { fold } from "../fold.ts";
import { phrasesOf } from "../index/phrases.ts";
import type { Indexer } from "./ask-platform.ts";
import { runIndexer } from "./run-indexer.ts";

/** `*` and `?` of a question stay wildcards; what only plocate takes for one is itself. */
const literal = (text: string): string => text.replaceAll(/[[\]\\]/g, "\\$&");

/** plocate looks for a pattern in the whole name, for anything else inside of it. */
const patternOf = (part: string): string => (/[[\\]/.test(part) ? `*${literal(part)}*` : part);

function patternsOf(text: string): readonly string[] {
  if (/[*?]/.test(text)) return [literal(text.trim())];
  return phrasesOf(text).map(patternOf);
}

/**
 * Names with all parts, from the database of plocate (package plocate); it knows nothing else. Exact names
 * come first.
 */
export const plocate: Indexer = async (context, query, roots) => {
  if (query.kind !== "all" && query.kind !== "names") return undefined;
  const patterns = patternsOf(query.text);
  if (patterns.length === 0) return [];
  const args = ["--ignore-case", "--basename", "--null", "--existing", "--", ...patterns];
  // A failure without a word means that nothing was found.
  const found = await runIndexer(context, "plocate", args, (stderr) => stderr === "");
  const files = found.filter((file) => roots.some((root) => isBelow(root, file)));
  const text = fold(query.text.trim());
  const place = (file: string): number => {
    const name = fold(path.basename(file));
    if (name === text || path.parse(name).name === text) return 0;
    if (name.startsWith(text)) return 1;
    return 2;
  };
  return files.toSorted((a, b) => place(a) - place(b));
};
