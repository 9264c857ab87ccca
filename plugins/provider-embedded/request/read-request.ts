import type { DateMark } from "./dates.ts";
import { freeWords, questionWords, wordKey } from "./word-key.ts";

/** A word, a number, a quotation: what stands between two blanks. */
export interface Piece {
  /** Without punctuation at its ends. */
  readonly text: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** The text between quotation marks. */
  readonly quoted: string | undefined;
  readonly isFree: boolean;
}

export interface Request {
  /** With plain quotation marks and dashes, without greeting and courtesy. */
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly dates: readonly DateMark[];
  readonly isQuestion: boolean;
}

const plainSigns: readonly (readonly [RegExp, string])[] = [
  [/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"'],
  [/[\u2018\u2019\u201a]/g, "'"],
  [/[\u2010-\u2014]/g, "-"],
  [/[\u00a0\u202f\t]/g, " "],
];

const courtesies: readonly RegExp[] = [
  /^(?:hey|hi|hello|ok(?:ay)?|so|well|now|right|great|yes|sure)(?: there| guide| pergola)?[,.! -]+\s*/i,
  /^(?:please|kindly|pls|just),?\s+/i,
  /^(?:can|could|would|will) you\s+(?=[a-z]+ )/i,
  /^(?:i(?:'d| would) like|i want|i need) (?:you )?to\s+/i,
  /^(?:go ahead and|help me(?: to)?|let(?:'s| us))\s+/i,
];
const closing = /[\s,.?]*(?:\b(?:please|thanks|thank you|thx|for me)\b[\s.!?,]*)+$/i;

function withoutCourtesy(text: string): string {
  const rest = [...courtesies, closing].reduce((left, courtesy) => left.replace(courtesy, "") || left, text);
  if (rest === text) return text;
  return withoutCourtesy(rest);
}

/** The text with plain signs, without greeting and courtesy. Places in a request are places in it. */
export const plainText = (text: string): string =>
  withoutCourtesy(plainSigns.reduce((left, [sign, by]) => left.replace(sign, by), text).trim());

const pattern =
  /```[\w+-]*\n([\s\S]*?)```|`([^`\n]+)`|(?<!\w)"([^"]+)"(?!\w)|(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)|\S+/g;

function pieceAt(text: string, start: number, quoted?: string): Piece {
  const lower = text.toLowerCase();
  const key = quoted === undefined ? wordKey(lower) : lower;
  return {
    text,
    key,
    start,
    end: start + text.length,
    quoted,
    isFree: quoted === undefined && freeWords.has(lower),
  };
}

/** `what's` is `what` and `is`; `Anna's` is `Anna` and `'s`. */
function splitWord(token: string, at: number): readonly Piece[] {
  const start = at + (/^[(]+(?=\w+$)/.exec(token)?.[0].length ?? 0);
  const bare = token.slice(start - at).replace(/[,;:.!?]+$/, "");
  if (bare === "" && token !== "." && token !== "..") return [];
  const [, base, suffix = ""] = /^(.*\w)('s)$/i.exec(bare) ?? [];
  if (base === undefined) return [pieceAt(bare || token, start)];
  const isVerb = questionWords.has(base.toLowerCase()) || /^(?:it|that|there)$/i.test(base);
  const ending = pieceAt(suffix, start + base.length);
  return [pieceAt(base, start), { ...ending, ...(isVerb && { key: "be" }) }];
}

/** The pieces of a plain text, in order. */
export const piecesOf = (text: string): readonly Piece[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const quoted = match.slice(1).find((group) => group !== undefined);
    if (quoted === undefined) return splitWord(match[0], match.index);
    return [pieceAt(match[0], match.index, quoted)];
  });

/** Reads a text; `dates` are those of its plain text. */
export function readRequest(input: string, dates: readonly DateMark[] = []): Request {
  const text = plainText(input);
  return { text, pieces: piecesOf(text), dates, isQuestion: /\?\s*$/.test(text) };
}
