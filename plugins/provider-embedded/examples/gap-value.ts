import type { Json } from "@pergola/sdk";
import type { Piece, Request } from "../request/read-request.ts";
import { bindingWords, commonWords, politeWords, questionWords } from "../request/word-key.ts";
import { isOfKind, numberOf } from "../request/value-kinds.ts";
import type { Gap } from "./pattern.ts";

/** Words after which something else begins; in “the cat is called Tom” nothing does. */
const turns = [
  /[;\n]|[.!?]\s|,\s*and\b|\b(?:and then|then|but|if|unless|instead|or rather)\b/i,
  /(?<!\b(?:is|are|was|were)\s+)\b(?:called|named)\b/i,
];
const longestName = 5;

const firstWordOf = (pieces: readonly Piece[]): string => pieces[0]?.text ?? "";

/** Capitals all through, or one or two words of a sentence without any. */
function isName(pieces: readonly Piece[], { text }: Request): boolean {
  const first = firstWordOf(pieces);
  if (pieces.length > longestName || first === "I") return false;
  if (/^\p{Lu}/u.test(first))
    return pieces.every(({ text: word, key }) => /^[\p{Lu}\d]/u.test(word) || key === "in");
  const isLowerCase = !/\p{Lu}/u.test(text.slice(1));
  return isLowerCase && pieces.length < 3 && !pieces.some(isCommon);
}

const isCommon = ({ key, text }: Piece): boolean =>
  commonWords.has(key) || commonWords.has(text.toLowerCase());

/** True for words that are the half of a longer sentence. */
function isTorn(gap: Gap, pieces: readonly Piece[]): boolean {
  const first = firstWordOf(pieces).toLowerCase();
  const last = firstWordOf(pieces.slice(-1)).toLowerCase();
  if (questionWords.has(last)) return true;
  if (questionWords.has(first) && !gap.takesQuestion) return true;
  return [first, last].some((word) => bindingWords.has(word) || politeWords.has(word));
}

const hasDate = (pieces: readonly Piece[], { dates }: Request): boolean =>
  dates.some((date) => pieces.some(({ start, end }) => date.start <= start && end <= date.end));

/** Words that can be meant as they stand: no bare `it`, and nothing that goes on to something else. */
function isPhrase(gap: Gap, pieces: readonly Piece[], raw: string, request: Request): boolean {
  if (pieces.every(isCommon) || pieces.some(({ quoted }) => quoted !== undefined)) return false;
  if (turns.some((turn) => turn.test(raw)) || isTorn(gap, pieces)) return false;
  return !gap.withoutDate || !hasDate(pieces, request);
}

function isSingleValue({ kind, prefix, isWord }: Gap, raw: string): boolean {
  if (kind === "date") return false;
  if (kind === "path") return isOfKind(raw, "path") || (isWord && /^[\w-]+$/.test(raw));
  if (kind === "word") return isOfKind(raw, "word") && !isOfKind(raw, "path");
  return raw.startsWith(prefix) && isOfKind(raw, kind);
}

function isValue(gap: Gap, pieces: readonly Piece[], raw: string, request: Request): boolean {
  if (gap.kind === "text") return isPhrase(gap, pieces, raw, request);
  if (gap.kind === "sum") return isOfKind(raw, "sum");
  if (hasDate(pieces, request)) return false;
  if (gap.kind === "proper") return isName(pieces, request);
  return pieces.length === 1 && !pieces.some(isCommon) && isSingleValue(gap, raw);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The value with the capital and the full stop that the example's argument has. */
function written({ capital, stop }: Gap, raw: string): string {
  const text = (capital && capitalized(raw)) || raw;
  if (stop) return `${text}.`;
  return text;
}

const quotable: ReadonlySet<string> = new Set(["text", "path", "proper", "word"]);

function quotedIn({ kind }: Gap, pieces: readonly Piece[]): string | undefined {
  const [only, ...others] = pieces;
  if (others.length > 0 || !quotable.has(kind)) return undefined;
  return only?.quoted;
}

/** The value that some neighbouring pieces give a gap; undefined when they cannot be one. */
export function gapValue(gap: Gap, pieces: readonly Piece[], request: Request): Json | undefined {
  const start = pieces[0]?.start;
  const end = pieces.at(-1)?.end;
  if (gap.kind === "date")
    return request.dates.find((date) => date.start === start && date.end === end)?.value;
  const raw = request.text.slice(start, end);
  if (gap.kind === "here") return (isOfKind(raw, "here") && ".") || undefined;
  const quoted = quotedIn(gap, pieces);
  if (quoted !== undefined) return quoted;
  if (!isValue(gap, pieces, raw, request)) return undefined;
  if (gap.kind === "number") return numberOf(raw);
  if (gap.kind === "code") return raw.replace(/\(\)$/, "");
  return written(gap, raw);
}
