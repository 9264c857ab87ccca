import type { Usage } from "./find-usages.ts";
import type { UsageKind } from "./rules.ts";

const extensions = new Set(
  "kt kts swift scala sc dart lua ex exs erl hs clj cljs elm ml mli fs fsx vb pl pm r jl groovy gradle sql vue svelte zig nim m mm sol proto graphql tf v sv".split(
    " ",
  ),
);
const definers =
  /\b(def|defp|defmodule|fun|func|function|fn|proc|sub|class|struct|record|trait|protocol|interface|object|enum|type|typealias|module|message|service|contract|let|val|var|const|table|view)\s+$/i;
const comment = /^\s*(\/\/|#|--|\*|;|%)/;
const around = 80;
const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_$]/u.test(character);

/** Whether a file is code in a language that no grammar reads here. */
export const isPlainCode = (path: string): boolean =>
  extensions.has(path.slice(path.lastIndexOf(".") + 1).toLowerCase());

function kindAt(before: string, after: string): UsageKind {
  if (definers.test(before)) return "definition";
  return /^\s*\(/.test(after) ? "call" : "reference";
}

/** Usages of a symbol as far as the words around it tell: whole words, not in lines that are comments. */
export function plainUsages(text: string, symbol: string): readonly Usage[] {
  const usages: Usage[] = [];
  let [line, lineStart] = [1, 0];
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + symbol.length)) {
    for (
      let feed = text.indexOf("\n", lineStart);
      feed >= 0 && feed < at;
      feed = text.indexOf("\n", lineStart)
    ) {
      lineStart = feed + 1;
      line += 1;
    }
    const end = at + symbol.length;
    if (
      isWord(text[at - 1]) ||
      isWord(text[end]) ||
      comment.test(text.slice(lineStart, Math.min(at, lineStart + around)))
    )
      continue;
    const before = text.slice(Math.max(lineStart, at - around), at);
    usages.push({ line, column: at - lineStart + 1, kind: kindAt(before, text.slice(end, end + around)) });
  }
  return usages;
}
