import { Lexer, type Token } from "marked";
import { mathsExtension } from "./maths-tokens.ts";

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
