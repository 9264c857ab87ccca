import ts from "typescript";
import type { Source } from "./product.ts";

/** What one file holds. */
export interface Counts {
  /** Lines as an editor numbers them. */
  readonly lines: number;
  /** Lines that are neither blank nor only a comment. */
  readonly codeLines: number;
  /** Words, signs, numbers and strings, each as one; comments as none. */
  readonly tokens: number;
  readonly ternaries: number;
}

const isComment = (node: ts.Node): boolean =>
  node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode;

/** Counts what TypeScript's own scanner sees, so that layout and comments change nothing. */
export function countTokens({ text, tree }: Source): Counts {
  let tokens = 0;
  let ternaries = 0;
  const linesWithCode = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (isComment(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return;
    if (ts.isConditionalExpression(node)) ternaries += 1;
    const children = node.getChildren(tree);
    children.forEach(visit);
    if (children.length > 0 || node.getWidth(tree) === 0) return;
    tokens += 1;
    const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line;
    const last = tree.getLineAndCharacterOfPosition(node.getEnd()).line;
    for (let line = first; line <= last; line += 1) linesWithCode.add(line);
  };
  visit(tree);
  return { lines: text.split("\n").length - 1, codeLines: linesWithCode.size, tokens, ternaries };
}
