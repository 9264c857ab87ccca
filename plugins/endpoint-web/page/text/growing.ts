import { Marked, type Token, type TokenizerAndRendererExtension } from "marked";

const forms = {
  block: /^(?:\$\$([^$]+)\$\$|\\\[([^]+?)\\\])(?:\n+|$)/,
  inline: /^(?:\$(?![\s\d])([^$\n]*[^\s$\\])\$(?!\d)|\\\(([^]+?)\\\))/,
} as const;

const starts = { block: /\n(?=\$\$|\\\[)/, inline: /\$|\\\(/ } as const;

/** Formulas between dollars and between `\(…\)` and `\[…\]`. */
const maths = (level: keyof typeof forms): TokenizerAndRendererExtension => ({
  name: "maths",
  level,
  start: (source) => source.match(starts[level])?.index,
  tokenizer(source) {
    const [raw, dollars, brackets] = forms[level].exec(source) ?? [];
    if (raw === undefined) return undefined;
    return { type: "maths", raw, text: (dollars ?? brackets ?? "").trim(), isBlock: level === "block" };
  },
});

const marked = new Marked({ gfm: true, extensions: [maths("block"), maths("inline")] });

export type Block = Readonly<{ token: Token; isSettled: boolean }>;

/** Reads Markdown that grows: only its last two blocks are read again, since nothing before can change. */
export class GrowingText {
  #settled: Block[] = [];
  #length = 0;
  #text = "";

  /** The blocks of a text that begins with the one before; of any other text, from the beginning. */
  read(text: string): readonly Block[] {
    if (!text.startsWith(this.#text)) [this.#settled, this.#length] = [[], 0];
    this.#text = text;
    const tokens = marked.lexer(text.slice(this.#length));
    const seen = tokens.filter(({ type }) => type !== "space");
    const firstOpen = tokens.indexOf(seen.at(-2) ?? tokens[0]!);
    const settled = tokens.slice(0, Math.max(0, firstOpen));
    this.#length += settled.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#settled = [...this.#settled, ...settled.map((token) => ({ token, isSettled: true }))];
    const open = tokens.slice(settled.length).map((token) => ({ token, isSettled: false }));
    return [...this.#settled, ...open];
  }
}
