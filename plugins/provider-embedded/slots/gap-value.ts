import type { Json } from "@pergola/sdk";
import { actionsOf } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { prepositions } from "../language/prepositions.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import { numberWords } from "../marks/number-words.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Piece } from "../phrase/pieces.ts";
import { wide } from "./choices.ts";
import type { Gap } from "./frame.ts";
import { shapeFor } from "./may-be.ts";
import { hasShape } from "./shapes.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);

const idle = words(
  "please thanks now today tomorrow tonight currently right outside there this next lately again",
);

const isInDate = ({ start, end }: Span, { marks }: Phrase): boolean =>
  marks.some((mark) => mark.kind === "date" && mark.start <= start && end <= mark.end);

/** A piece that may follow the last value: courtesy, or a date that another parameter takes. */
export const isIdle = (piece: Piece, phrase: Phrase): boolean =>
  piece.isArticle ||
  idle.has(piece.text.toLowerCase()) ||
  isInDate(piece, phrase) ||
  (phrase.marks.some(({ kind }) => kind === "date") && prepositions.has(piece.key));

function numberIn(text: string): number | undefined {
  if (/^[$€£]?-?\d+(?:[.,]\d+)*(?:%|st|nd|rd|th)?$/.test(text))
    return Number.parseFloat(text.replace(/^[$€£]/, "").replaceAll(",", ""));
  return numberWords[text.toLowerCase()];
}

/** Another word for what a choice does: `remove` for `delete`. */
const isSame = (choice: string, [piece, ...more]: readonly Piece[]): boolean =>
  more.length === 0 &&
  !wide.has(keyOf(choice)) &&
  piece !== undefined &&
  actionsOf(piece.text.toLowerCase()).includes(keyOf(choice));

/** What stands where an example names a file or a page. */
const nameable: ReadonlySet<string> = new Set(["path", "url", "glob"]);

const markAt = ({ marks }: Phrase, { start, end }: Span, kinds: ReadonlySet<string>): Json | undefined =>
  marks.find((mark) => kinds.has(mark.kind) && mark.start === start && mark.end === end)?.value;

const dates: ReadonlySet<string> = new Set(["date"]);
const narrow: ReadonlySet<string> = new Set(["unit", "address", "id", "word"]);

/** What only leads to a value, or says that it may be anywhere. */
const wordsAround =
  /^(?:the )?(?:words?|phrases?|terms?|text|string) (?=\S)|^(?:.*\s)?(?:named|called|with the name)\s+(?=\S)|\s+(?:somewhere|anywhere|please|thanks)$/gi;

const opensQuote = ({ start }: Span, text: string): boolean =>
  /["'`]/.test(text.charAt(start)) && (start === 0 || /\s/.test(text.charAt(start - 1)));

/** Words beside a quoted text: the value is the quoted text alone, unless what is told holds a quotation. */
function isMoreThanQuoted({ start, end }: Span, { marks, text }: Phrase, told: boolean): boolean {
  const isMore = (mark: Span): boolean =>
    told
      ? mark.start === start && mark.end < end
      : mark.start < end && start < mark.end && (mark.start !== start || mark.end !== end);
  return marks.some((mark) => opensQuote(mark, text) && isMore(mark));
}

/** Capitals all through, or one or two words of a phrase that has no capitals. */
function isProper(pieces: readonly Piece[], { text }: Phrase): boolean {
  const isFollowed = (index: number): boolean => isCapital(pieces[index + 1]?.text ?? "");
  if (pieces.slice(0, -1).some(({ isClosed }, index) => isClosed && !isFollowed(index))) return false;
  if (pieces.slice(1, -1).some(({ key }, index) => prepositions.has(key) && !isFollowed(index + 1)))
    return false;
  if (pieces[0]?.text === "I") return false;
  if (isCapital(pieces[0]?.text ?? ""))
    return pieces.length < 5 && !pieces.some((piece) => idle.has(piece.text));
  const isPlain = pieces.every(
    (piece) => !idle.has(piece.text.toLowerCase()) && !prepositions.has(piece.key),
  );
  return !/\s\p{Lu}(?!\b)/u.test(text) && pieces.length < 3 && isPlain;
}

function textIn(
  { kind, capital, stop, told }: Gap,
  pieces: readonly Piece[],
  span: Span,
  phrase: Phrase,
): string | undefined {
  const raw = phrase.text.slice(span.start, span.end);
  if (isMoreThanQuoted(span, phrase, told) || /^-+[a-z]/i.test(raw)) return undefined;
  const bare = told ? raw : raw.replace(wordsAround, "");
  const value = /^(["'`]).*\1$/s.test(bare) ? bare.slice(1, -1) : bare;
  if (
    value === "" ||
    !hasShape(shapeFor(kind), value) ||
    (pieces.length === 1 && stopWords.has(value.toLowerCase()))
  )
    return undefined;
  if (kind === "proper" && !isProper(pieces, phrase)) return undefined;
  const dressed = capital && /^\p{Ll}/u.test(value) ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  return stop ? `${dressed}.` : dressed;
}

/** The value of a gap in some pieces of the phrase; undefined when they cannot be one. */
export function gapValue(gap: Gap, pieces: readonly Piece[], phrase: Phrase): Json | undefined {
  const { kind, choices, nouns, prefix, told } = gap;
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined || first.key === ":" || last.key === ":") return undefined;
  const span = { start: first.start, end: last.end };
  const raw = phrase.text.slice(span.start, span.end);
  if (kind === "number") return pieces.length === 1 ? numberIn(raw) : undefined;
  if (kind === "date") return markAt(phrase, span, dates);
  if (pieces.some((piece) => isInDate(piece, phrase)) || prepositions.has(last.key)) return undefined;
  if (kind === "mark") return markAt(phrase, span, nameable);
  if (kind === "choice")
    return (
      choices.find((choice) => choice.toLowerCase() === raw.toLowerCase()) ??
      choices.find((choice) => isSame(choice, pieces))
    );
  if (!told && pieces.length === 1 && nouns.has(first.key)) return undefined;
  if ((kind === "id" && !raw.startsWith(prefix)) || (pieces.length > 1 && narrow.has(kind))) return undefined;
  return textIn(gap, pieces, span, phrase);
}
