import type { MarkedOptions, TokenizerExtension, Tokens } from "marked";

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

const starts = { block: /\n(?=\$\$|\\\[)/, inline: /\$|\\\(/ } as const;

/** Formulas between dollars and between `\(…\)` and `\[…\]`, as the lexer takes extensions. */
export const mathsExtension = {
  renderers: {},
  childTokens: {},
  block: [tokenizer("block")],
  inline: [tokenizer("inline")],
  startBlock: [(source: string) => source.search(starts.block)],
  startInline: [(source: string) => source.search(starts.inline)],
} as unknown as NonNullable<MarkedOptions["extensions"]>;
