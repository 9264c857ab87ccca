import type { TokenizerExtension, Tokens } from "marked";

const forms = {
  block: /^(?:\$\$([^$]+)\$\$|\\\[([^]+?)\\\])(?:\n+|$)/,
  inline: /^(?:\$(?![\s\d])([^$\n]*[^\s$\\])\$(?!\d)|\\\(([^]+?)\\\))/,
} as const;

const tokenizer = (level: keyof typeof forms): TokenizerExtension["tokenizer"] =>
  function read(source): Tokens.Generic | undefined {
    const [raw, dollars, brackets] = forms[level].exec(source) ?? [];
    if (raw === undefined) return undefined;
    return { type: "maths", raw, text: (dollars ?? brackets ?? "").trim(), isBlock: level === "block" };
  };

const start = (source: string): number => source.search(/\$|\\[([]/);

/** Formulas between dollars and between `\(…\)` and `\[…\]`, as the lexer takes extensions. */
export const mathsExtension = {
  renderers: {},
  childTokens: {},
  block: [tokenizer("block")!],
  inline: [tokenizer("inline")!],
  startBlock: [start],
  startInline: [start],
} as unknown as NonNullable<import("marked").MarkedOptions["extensions"]>;
