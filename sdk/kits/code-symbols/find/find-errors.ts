import type { Node } from "web-tree-sitter";
import type { SyntaxFault } from "./syntax-fault.ts";

const mostFaults = 20;
const longestExcerpt = 40;
const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** What a grammar cannot read in a file: at most 20 faults, as one mostly causes others. */
export function findErrors(root: Node): readonly SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  const pending: Node[] = [root];
  for (let node = pending.pop(); node !== undefined && faults.length < mostFaults; node = pending.pop()) {
    if (!node.hasError && !node.isMissing) continue;
    const inner = node.children.filter((child) => child !== null && (child.hasError || child.isMissing));
    for (const child of inner.toReversed()) pending.push(child);
    if (node.isMissing) faults.push(faultAt(node, `"${node.type}" is missing`));
    else if (node.isError && inner.length === 0) faults.push(unexpected(node));
  }
  return faults;
}

const faultAt = ({ startPosition: { row, column } }: Node, message: string): SyntaxFault => ({
  line: row + 1,
  column: column + 1,
  message,
});

/** A bracket that is never closed says more than the code which could not be read after it. */
function unexpected(node: Node): SyntaxFault {
  const open: Node[] = [];
  for (const child of node.children) {
    const last = open.at(-1);
    if (closers[child.type] !== undefined) open.push(child);
    else if (last !== undefined && closers[last.type] === child.type) open.pop();
  }
  const bracket = open.at(-1);
  if (bracket !== undefined) return faultAt(bracket, `"${bracket.type}" is never closed`);
  const [line = ""] = node.text.trim().split("\n");
  if (line === "") return faultAt(node, "Syntax error");
  const ellipsis = line.length > longestExcerpt ? "…" : "";
  return faultAt(node, `Syntax error near "${line.slice(0, longestExcerpt)}${ellipsis}"`);
}
