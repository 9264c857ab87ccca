import { Lexer, type MarkedOptions, type Token, type TokenizerExtension, type Tokens } from "marked";

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
const mathsExtension = {
  renderers: {},
  childTokens: {},
  block: [tokenizer("block")],
  inline: [tokenizer("inline")],
  startBlock: [(source: string) => source.search(starts.block)],
  startInline: [(source: string) => source.search(starts.inline)],
} as unknown as NonNullable<MarkedOptions["extensions"]>;

/** A block of a text: its token, and whether it can still change. */
export type Block = Readonly<{ token: Token; isSettled: boolean }>;

const lex = (text: string): readonly Token[] =>
  new Lexer({ gfm: true, extensions: mathsExtension }).lex(text);

/** Reads Markdown that grows: only its last two blocks are read again, since nothing before can change. */
export class GrowingText {
  #settled: Block[] = [];
  #length = 0;
  #text = "";

  /** The blocks of a text that begins with the one before; of any other text, from the beginning. */
  read(text: string): readonly Block[] {
    if (!text.startsWith(this.#text)) [this.#settled, this.#length] = [[], 0];
    this.#text = text;
    const tokens = lex(text.slice(this.#length));
    const seen = tokens.filter(({ type }) => type !== "space");
    const firstOpen = tokens.indexOf(seen.at(-2) ?? tokens[0]!);
    const settled = tokens.slice(0, Math.max(0, firstOpen));
    this.#length += settled.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#settled = [...this.#settled, ...settled.map((token) => ({ token, isSettled: true }))];
    const open = tokens.slice(settled.length).map((token) => ({ token, isSettled: false }));
    return [...this.#settled, ...open];
  }
}
