import path from "node:path";
import { isBelow, ToolError } from "@pergola/sdk";
import { fold } from "../fold.ts";
import { phrasesOf } from "../index/phrases.ts";
import type { Indexer } from "./ask-platform.ts";

const mostBytes = 8 << 20;

/** `*` and `?` of a question stay wildcards; what only plocate takes for one is itself. */
const literal = (text: string): string => text.replaceAll(/[[\]\\]/g, "\\$&");

const patternsOf = (text: string): readonly string[] =>
  /[*?]/.test(text)
    ? [literal(text.trim())]
    : phrasesOf(text).map((part) =>
        part.includes("[") || part.includes("\\") ? `*${literal(part)}*` : part,
      );

/**
 * Names with all parts, from the database of plocate (package plocate); it knows nothing else. Exact names
 * come first.
 */
export const plocate: Indexer = async (context, query, roots) => {
  if (query.kind !== "all" && query.kind !== "names") return undefined;
  const patterns = patternsOf(query.text);
  if (patterns.length === 0) return [];
  const args = ["--ignore-case", "--basename", "--null", "--existing", "--", ...patterns];
  const { exitCode, stdout, stderr } = await context.spawn("plocate", args, { maxOutputBytes: mostBytes });
  context.signal.throwIfAborted();
  // 1 without a word means that nothing was found.
  if (exitCode !== 0 && stderr.trim() !== "")
    throw new ToolError("unavailable", `plocate could not answer: ${stderr.trim().split("\n")[0] ?? ""}`);
  const files = stdout.split("\0").filter((file) => file !== "" && roots.some((root) => isBelow(root, file)));
  const wanted = fold(query.text.trim());
  const place = (file: string): number => {
    const name = fold(path.basename(file));
    if (name === wanted || path.parse(name).name === wanted) return 0;
    return name.startsWith(wanted) ? 1 : 2;
  };
  return files.toSorted((a, b) => place(a) - place(b));
};
