import type { Node } from "web-tree-sitter";
import type { Rule, Rules, UsageKind } from "./rules.ts";

export interface Usage {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly kind: UsageKind;
}

const nameTypes = /identifier|constant|variable|symbol|name$|^word$/;
const deepest = 32;

/** A name without the marks that some languages write round it: `$name`, `@name`, `:name`, `#name`. */
const bare = (text: string): string => text.replace(/^[$@:#]+/, "");

/**
 * Every place of a parsed file where a symbol is named as code, in order; comments and strings do not count.
 */
export function findUsages(root: Node, text: string, symbol: string, rules: Rules): readonly Usage[] {
  const usages: Usage[] = [];
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + symbol.length)) {
    const node = root.namedDescendantForIndex(at, at + symbol.length);
    if (node === null || bare(node.text) !== symbol || !nameTypes.test(node.type)) continue;
    usages.push({ line: node.startPosition.row + 1, column: columnOf(text, at), kind: kindOf(node, rules) });
  }
  return usages;
}

const columnOf = (text: string, at: number): number => at - text.lastIndexOf("\n", at - 1);

/** Climbs from the name through what merely wraps it to the place that tells what it does. */
function kindOf(name: Node, rules: Rules): UsageKind {
  let isMember = false;
  const through: string[] = [];
  for (let node = name; through.length < deepest;) {
    const { parent } = node;
    if (parent === null) return "reference";
    const rule = ruleFor(rules, through, `${parent.type}.${fieldOf(parent, node)}`);
    if (rule !== "up" && rule !== "member") return settle(rule, isMember, parent, node);
    isMember ||= rule === "member";
    through.push(parent.type);
    node = parent;
  }
  return "reference";
}

function settle(
  rule: Exclude<Rule, "up" | "member"> | undefined,
  isMember: boolean,
  parent: Node,
  node: Node,
): UsageKind {
  const kind = typeof rule === "function" ? rule(parent, node) : (rule ?? "reference");
  return isMember && kind !== "call" ? "reference" : kind;
}

const ruleFor = (rules: Rules, through: readonly string[], place: string): Rule | undefined =>
  through.map((type) => rules[`${type}>${place}`]).find((rule) => rule !== undefined) ?? rules[place];

function fieldOf(parent: Node, node: Node): string {
  for (let index = 0; index < parent.childCount; index += 1) {
    if (parent.child(index)?.id === node.id) return parent.fieldNameForChild(index) ?? "";
  }
  return "";
}
