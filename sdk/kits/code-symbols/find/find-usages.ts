import type { Node, Tree } from "web-tree-sitter";
import type { Language, UsageKind } from "../languages/language.ts";
import { ruleFinder, wordsOf, type RuleFinder, type Step } from "../languages/selector.ts";
import type { Usage } from "./usage.ts";
import { waysTo } from "./ways-to.ts";
import { occurrences } from "./words.ts";

/** Finds the usages of a symbol in a parsed text, in order. What stands in comments and strings is none. */
export type UsageFinder = (tree: Tree, text: string, symbol: string) => readonly Usage[];

/** Prepares a language. */
export function usageFinder(language: Language): UsageFinder {
  const names = new Set(wordsOf(language.names));
  const unread = new Set(wordsOf(language.unread));
  const find = ruleFinder(language);
  return (tree, text, symbol) => {
    const usages: Usage[] = [];
    for (const [at, way] of waysTo(tree, occurrences(text, symbol))) {
      const leaf = way.at(-1)?.node;
      if (leaf === undefined) continue;
      if (unread.has(leaf.type))
        usages.push({ at, kind: text[at + symbol.length] === "(" ? "call" : "reference" });
      else if (names.has(leaf.type) && isNamed(leaf, symbol))
        usages.push({ at, kind: kindOf(way, text, find) });
    }
    return usages;
  };
}

/** A name may carry a mark: `$name`, `@name`, `:name`, `#name`. */
const isNamed = (leaf: Node, symbol: string): boolean => leaf.text.replace(/^[$@:#]+/, "") === symbol;

/** Climbs from the name through what merely wraps it to the place that tells what it does. */
function kindOf(way: readonly Step[], text: string, find: RuleFinder): UsageKind {
  let isMember = false;
  const through = [way.at(-1)?.node.type ?? ""];
  for (let end = way.length; end > 1; end -= 1) {
    const rule = find(way.slice(0, end), through, text) ?? "reference";
    if (rule !== "through" && rule !== "member") return isMember && rule !== "call" ? "reference" : rule;
    isMember ||= rule === "member";
    through.push(way[end - 2]?.node.type ?? "");
  }
  return "reference";
}
