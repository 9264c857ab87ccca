import type { Json } from "@pergola/sdk";
import { courtesyLength } from "../language/politeness.ts";
import { stopWords } from "../language/stop-words.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { type Piece, piecesIn } from "../phrase/pieces.ts";
import type { Frame, Path } from "./frame.ts";
import { isCapital, isIdle, type Span } from "./gap-value.ts";
import { type Bound, type Ground, type Laying, layings } from "./lay-frame.ts";

/** A phrase that follows the pattern of an example. */
export interface FrameMatch {
  /** The example's sentence. */
  readonly say: string;
  /** The example's arguments with the phrase's values. */
  readonly arguments: Readonly<Record<string, Json>>;
  /** The places of the values in the phrase. */
  readonly spans: readonly Span[];
  /** Those of them that hold words to be told on. */
  readonly told: readonly Span[];
  /** 0 to 1: how much of the example's words the phrase has. */
  readonly likeness: number;
  /** Words of the phrase that are neither a value nor in the example. */
  readonly strange: readonly string[];
  /** How many words of the example tell something. */
  readonly telling: number;
  /** How many words lead to its first value. */
  readonly lead: number;
  /** How many prepositions are others than the example's. */
  readonly swapped: number;
  /** Values that can hardly be anything else: numbers, units, dates, addresses. */
  readonly typed: number;
}

/** Values that can hardly be anything else. */
const strong: ReadonlySet<string> = new Set(["number", "unit", "date", "sum", "address", "choice", "id"]);

/**
 * Pieces of a phrase that a pattern is laid over: nobody says more in one order, and the ways to lay it grow
 * with them.
 */
const mostPieces = 120;

/** A piece of a path or an address: whether somebody takes it is seen there. */
const isInMark = ({ start, end }: Piece, { marks }: Phrase): boolean =>
  marks.some(
    (mark) =>
      (mark.kind === "path" || mark.kind === "url") &&
      mark.loose !== true &&
      mark.start <= start &&
      end <= mark.end,
  );

/** The arguments with a value at a path. */
function put(target: Json, [step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(target))
    return target.map((each: Json, index) => (index === step ? put(each, rest, value) : each));
  const record = target as Readonly<Record<string, Json>>;
  return { ...record, [step]: put(record[step] ?? {}, rest, value) };
}

/** The example's arguments without those whose gap the phrase leaves open. */
function argumentsOf({ parts, given }: Frame, bound: readonly Bound[]): Readonly<Record<string, Json>> {
  const gaps = parts.filter((part) => typeof part !== "string");
  const open = new Set(
    gaps.filter((gap) => !bound.some((each) => each.gap === gap)).map(({ path }) => path[0]),
  );
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !open.has(name)));
  return bound.reduce<Json>((args, { gap, value }) => put(args, gap.path, value), kept) as Readonly<
    Record<string, Json>
  >;
}

/**
 * What an example leaves unsaid is taken over only when all its words are there; the name of a formula is
 * said by the first of them.
 */
const mayBeShort = /^formula$/;

const isContent = (key: string): boolean =>
  key !== ":" && !stopWords.has(key) && key !== "be" && key !== "what";

/**
 * Lays an example's pattern over a phrase, what is `taken` left aside; undefined when it does not fit. The
 * words before its first value may differ in part.
 */
export function matchFrame(
  frame: Frame,
  phrase: Phrase,
  taken: readonly Span[] = [],
): FrameMatch | undefined {
  const start = courtesyLength(phrase.text);
  const isTaken = (piece: Span): boolean =>
    taken.some((span) => span.start <= piece.start && piece.end <= span.end);
  const pieces = piecesIn(phrase).filter((piece) => piece.start >= start && !isTaken(piece));
  const ground = { frame, pieces, phrase };
  const firstGap = frame.parts.findIndex((part) => typeof part !== "string");
  if (pieces.length > mostPieces) return undefined;
  if (firstGap < 0) return matchWords(ground);
  const anchor = frame.parts[firstGap - 1];
  const starts =
    anchor === undefined
      ? freeStarts(frame, pieces)
      : pieces.flatMap(({ key }, index) => (key === anchor ? [index + 1] : []));
  const matches = starts.flatMap((from) => {
    for (const laying of layings(ground, { part: firstGap, piece: from, bound: [], matched: [], swapped: 0 }))
      return judge(ground, firstGap, from, laying) ?? [];
    return [];
  });
  return matches.toSorted((a, b) => b.likeness - a.likeness || a.strange.length - b.strange.length)[0];
}

/** A pattern without values fits when it has all the words and no others. */
function matchWords({ frame: { say, parts, given }, pieces, phrase }: Ground): FrameMatch | undefined {
  const words = (parts as readonly string[]).filter(isContent);
  const asked = pieces
    .filter((piece) => isContent(piece.key) && !isIdle(piece, phrase))
    .map(({ key }) => key);
  if (asked.join(" ") !== words.join(" ")) return undefined;
  return {
    say,
    arguments: given,
    spans: [],
    told: [],
    likeness: 1,
    strange: [],
    telling: words.length,
    lead: parts.length,
    swapped: 0,
    typed: 0,
  };
}

/**
 * A pattern that begins with a value stands at the beginning, or anywhere when its values can hardly be
 * anything else.
 */
function freeStarts({ parts }: Frame, pieces: readonly Piece[]): readonly number[] {
  const typed = parts.filter((part) => typeof part !== "string" && strong.has(part.kind)).length;
  return typed > 1 ? pieces.map((_, index) => index) : [0];
}

function judge(
  { frame, pieces, phrase }: Ground,
  firstGap: number,
  from: number,
  laying: Laying,
): FrameMatch | undefined {
  const { bound, matched, swapped, piece } = laying;
  if (bound.length === 0) return undefined;
  const lead = frame.parts.slice(0, firstGap) as readonly string[];
  const before = pieces.slice(0, from);
  const said = new Set(before.map(({ key }) => key));
  const literals = frame.parts.filter((part) => typeof part === "string").filter(isContent);
  const shared = [...lead.filter((key) => said.has(key)), ...matched].filter(isContent);
  const isStrange = (each: Piece): boolean =>
    isContent(each.key) && !frame.parts.includes(each.key) && !isIdle(each, phrase);
  const strange = [...before, ...pieces.slice(piece)].filter(
    (each) => isStrange(each) && !isInMark(each, phrase),
  );
  if (shared.length < literals.length && !mayLack(frame, bound)) return undefined;
  return {
    say: frame.say,
    arguments: argumentsOf(frame, bound),
    spans: bound,
    told: bound.filter(({ gap }) => gap.told),
    likeness: literals.length === 0 ? 1 : shared.length / literals.length,
    telling: literals.length,
    lead: lead.length,
    swapped,
    strange: strange.map(({ key }) => key),
    typed: bound.filter(({ gap }) => strong.has(gap.kind)).length,
  };
}

/** Some words may be missing where no name was guessed and the example leaves nothing unsaid. */
function mayLack({ parts, given }: Frame, bound: readonly Bound[]): boolean {
  const isGuessed = bound.some(
    ({ gap, value }) => gap.kind === "proper" && typeof value === "string" && !isCapital(value),
  );
  const gaps = new Set(parts.flatMap((part) => (typeof part === "string" ? [] : [part.path[0]])));
  return !isGuessed && Object.keys(given).every((name) => gaps.has(name) || mayBeShort.test(name));
}
