import type { Json } from "@pergola/sdk";
import { keyOf } from "../language/concepts.ts";
import { prepositions } from "../language/prepositions.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Piece } from "../phrase/pieces.ts";
import type { Frame, Gap } from "./frame.ts";
import { gapValue, isIdle, type Span } from "./gap-value.ts";

/** A gap with what stands there in the phrase. */
export interface Bound extends Span {
  readonly gap: Gap;
  readonly value: Json;
}

/** A frame laid over a phrase as far as these parts and pieces. */
export interface Laying {
  readonly part: number;
  readonly piece: number;
  readonly bound: readonly Bound[];
  /** Words of the frame that the phrase has after the first value. */
  readonly matched: readonly string[];
  /** How many prepositions are others than the frame's. */
  readonly swapped: number;
}

/** What is laid over what. */
export interface Ground {
  readonly frame: Frame;
  readonly pieces: readonly Piece[];
  readonly phrase: Phrase;
}

/** Words that hold a sentence together and may be others. */
const fillers: ReadonlySet<string> = new Set(
  "it be do have this that these there just now".split(" ").map(keyOf),
);

const passOver = (laying: Laying): Laying => ({ ...laying, piece: laying.piece + 1 });

/**
 * A word of the frame: the same in the phrase, or a preposition for a preposition; articles and fillers are
 * passed over.
 */
function* layWord(ground: Ground, laying: Laying, word: string, piece: Piece): Iterable<Laying> {
  const isSame = word === piece.key;
  if (isSame || (prepositions.has(word) && prepositions.has(piece.key))) {
    const matched = isSame ? [...laying.matched, word] : laying.matched;
    yield* layings(ground, {
      ...passOver(laying),
      part: laying.part + 1,
      matched,
      swapped: laying.swapped + (isSame ? 0 : 1),
    });
  }
  if (piece.isArticle || fillers.has(piece.key)) yield* layings(ground, passOver(laying));
  if (fillers.has(word)) yield* layings(ground, { ...laying, part: laying.part + 1 });
}

/**
 * True for a piece that may stand before the value: an article, `me`, a word of the operation's or of the
 * parameter's name.
 */
function isBeforeValue({ frame, pieces }: Ground, { piece: at }: Laying, gap: Gap, piece: Piece): boolean {
  if (gap.kind === "date" && prepositions.has(piece.key)) return true;
  if (!gap.told && gap.nouns.has(piece.key)) return true;
  if (gap.kind === "text" && /^(?:me|us)$/i.test(piece.text)) return true;
  const isPassed = piece.isArticle || frame.nouns.has(piece.key);
  return (
    isPassed && (gap.kind !== "text" || pieces.slice(at + 1, at + 3).some(({ text }) => /^["'`]/.test(text)))
  );
}

/** A gap of the frame: the shortest values first, and of the last gap the longest. */
function* layGap(ground: Ground, laying: Laying, gap: Gap, piece: Piece): Iterable<Laying> {
  const { frame, pieces, phrase } = ground;
  if (isBeforeValue(ground, laying, gap, piece)) yield* layings(ground, passOver(laying));
  const from = laying.piece;
  const most = gap.kind === "proper" ? Math.min(pieces.length, from + 5) : pieces.length;
  const ends = Array.from({ length: most - from }, (_, index) => from + index + 1);
  for (const end of laying.part === frame.parts.length - 1 ? ends.reverse() : ends) {
    const taken = pieces.slice(from, end);
    const value = gapValue(gap, taken, phrase);
    if (value === undefined) continue;
    const bound = { gap, value, start: piece.start, end: taken.at(-1)?.end ?? 0 };
    yield* layings(ground, { ...laying, part: laying.part + 1, piece: end, bound: [...laying.bound, bound] });
  }
}

/** All ways to lay the rest of a frame over the rest of the phrase. */
export function* layings(ground: Ground, laying: Laying): Iterable<Laying> {
  const { frame, pieces, phrase } = ground;
  const part = frame.parts[laying.part];
  const piece = pieces[laying.piece];
  const isOver = pieces.slice(laying.piece).every((each) => isIdle(each, phrase));
  const isOptional = (each: string | Gap): boolean => typeof each === "string" || !each.required;
  if ((isOver || part === undefined) && frame.parts.slice(laying.part).every(isOptional)) yield laying;
  if (part === undefined || piece === undefined) return;
  yield* typeof part === "string"
    ? layWord(ground, laying, part, piece)
    : layGap(ground, laying, part, piece);
}
