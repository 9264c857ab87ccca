/**
 * A piece of RTF: a brace, a control word with its number, a byte as `\'e9`, or a run of plain characters
 * (one for each byte).
 */
export type RtfToken =
  | { readonly type: "open" | "close" }
  | { readonly type: "word"; readonly word: string; readonly number: number | undefined }
  | { readonly type: "byte"; readonly byte: number }
  | { readonly type: "text"; readonly text: string };

const token =
  /([{}])|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\([^a-z])|([^{}\\\r\n]+)|[\r\n]+|\\/giy;

const character = (text: string): RtfToken => ({ type: "text", text });

const word = (name: string, digits?: string): RtfToken => ({
  type: "word",
  word: name,
  number: digits === undefined ? undefined : Number(digits),
});

/** What a symbol after a backslash means; `\*` marks a group that may be skipped. */
const symbols: Readonly<Record<string, RtfToken>> = {
  "~": character("\u00a0"),
  _: character("\u2011"),
  "{": character("{"),
  "}": character("}"),
  "\\": character("\\"),
  "*": word("*"),
  "\n": word("par"),
  "\r": word("par"),
};

function tokenOf([, brace, hex, name, number, symbol, text]: RegExpExecArray): RtfToken | undefined {
  if (brace !== undefined) return { type: brace === "{" ? "open" : "close" };
  if (hex !== undefined) return { type: "byte", byte: Number.parseInt(hex, 16) };
  if (name !== undefined) return word(name, number);
  if (text !== undefined) return character(text);
  return symbols[symbol ?? ""];
}

/**
 * The tokens of RTF (specification 1.9.1) that is given as Latin-1; binary data after `\bin` is stepped over.
 */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  let at = 0;
  while (at < rtf.length) {
    token.lastIndex = at;
    const match = token.exec(rtf);
    if (match === null) return;
    at = token.lastIndex;
    const found = tokenOf(match);
    if (found?.type === "word" && found.word === "bin") at += Math.max(0, found.number ?? 0);
    else if (found !== undefined) yield found;
  }
}
