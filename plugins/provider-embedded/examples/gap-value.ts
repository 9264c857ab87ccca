import type { Json } from "@pergola/sdk";
import type { Piece, Request } from "../request/read-request.ts";
import { bindingWords, commonWords, questionWords } from "../request/word-key.ts";
import { isOfKind, numberOf } from "../request/value-kinds.ts";
import type { Gap } from "./pattern.ts";

/** Words after which something else begins. */
const turns = /[;\n]|[.!?]\s|\b(?:and then|then|but|if|unless|instead|or rather)\b/i;
const longestName = 5;

const isWithin = (inner: { start: number; end: number }, outer: { start: number; end: number }): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/** Capitals all through, or one or two words of a sentence without any. */
function isName(pieces: readonly Piece[], { text }: Request): boolean {
  if (pieces.length > longestName) return false;
  if (/^\p{Lu}/u.test(pieces[0]?.text ?? ""))
    return (
      pieces[0]?.text !== "I" &&
      pieces.every(({ text: word, key }) => /^[\p{Lu}\d]/u.test(word) || key === "in")
    );
  return (
    pieces.length < 3 && !/\p{Lu}/u.test(text.slice(1)) && !pieces.some(({ key }) => commonWords.has(key))
  );
}

const isCommon = ({ key, text }: Piece): boolean =>
  commonWords.has(key) || commonWords.has(text.toLowerCase());

/** Words that can be meant as they stand: not the half of a longer sentence, nor a bare `it`. */
function isPhrase(gap: Gap, pieces: readonly Piece[], raw: string, { dates }: Request): boolean {
  const [first, last] = [pieces[0]?.text.toLowerCase() ?? "", pieces.at(-1)?.text.toLowerCase() ?? ""];
  if (pieces.every(isCommon) || turns.test(raw) || pieces.some(({ quoted }) => quoted !== undefined))
    return false;
  if (bindingWords.has(first) || bindingWords.has(last)) return false;
  if (questionWords.has(first) && !gap.takesQuestion) return false;
  const span = { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
  return !gap.withoutDate || !dates.some((date) => isWithin(date, span));
}

function isValue(gap: Gap, pieces: readonly Piece[], raw: string, request: Request): boolean {
  const { kind, prefix, isWord } = gap;
  if (kind === "date") return false;
  if (kind === "sum") return isOfKind(raw, "sum");
  if (kind === "proper") return isName(pieces, request);
  if (kind === "text") return isPhrase(gap, pieces, raw, request);
  const [piece] = pieces;
  if (pieces.length > 1 || piece === undefined || isCommon(piece)) return false;
  if (kind === "path") return isOfKind(raw, "path") || (isWord && /^[\w-]+$/.test(raw));
  if (kind === "word") return isOfKind(raw, "word") && !isOfKind(raw, "path");
  return raw.startsWith(prefix) && isOfKind(raw, kind);
}

function dressed({ capital, stop }: Gap, raw: string): string {
  const begun = capital ? raw.charAt(0).toUpperCase() + raw.slice(1) : raw;
  return stop ? `${begun}.` : begun;
}

/** The value that some neighbouring pieces give a gap; undefined when they cannot be one. */
export function gapValue(gap: Gap, pieces: readonly Piece[], request: Request): Json | undefined {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const span = { start: first.start, end: last.end };
  if (gap.kind === "date")
    return request.dates.find(({ start, end }) => start === span.start && end === span.end)?.value;
  const isText = gap.kind === "text" || gap.kind === "path" || gap.kind === "proper" || gap.kind === "word";
  if (first.quoted !== undefined && pieces.length === 1) return isText ? first.quoted : undefined;
  const raw = request.text.slice(span.start, span.end);
  if (!isValue(gap, pieces, raw, request)) return undefined;
  return gap.kind === "number" ? numberOf(raw) : dressed(gap, raw);
}
