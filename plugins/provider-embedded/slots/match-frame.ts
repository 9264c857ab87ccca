import type { Json } from "@pergola/sdk";
import { actionsOf } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { prepositions } from "../language/prepositions.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import { courtesyLength } from "../language/politeness.ts";
import { numberWords } from "../marks/number-words.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { type Piece, piecesIn } from "../phrase/pieces.ts";
import type { Frame, Gap, Path } from "./frame.ts";
import { wide } from "./choices.ts";
import { hasShape } from "./shapes.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Bound {
  readonly gap: Gap;
  readonly value: Json;
  readonly start: number;
  readonly end: number;
}

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

const after = words("please thanks now today tomorrow tonight currently right outside there this next lately again");
/** Words that hold a sentence together and may be others. */
const fillers: ReadonlySet<string> = new Set([..."it be do have this that these there just now".split(" ")].map(keyOf));
const strong: ReadonlySet<string> = new Set(["number", "unit", "date", "sum", "address", "choice", "id"]);

const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);

function numberIn(text: string): number | undefined {
  if (/^[$€£]?-?\d+(?:[.,]\d+)*(?:%|st|nd|rd|th)?$/.test(text)) return Number.parseFloat(text.replace(/^[$€£]/, "").replaceAll(",", ""));
  return numberWords[text.toLowerCase()];
}

/** What only leads to a value, or says that it may be anywhere. */
const wordsAround =
  /^(?:the )?(?:words?|phrases?|terms?|text|string) (?=\S)|^(?:.*\s)?(?:named|called|with the name)\s+(?=\S)|\s+(?:somewhere|anywhere)$/gi;

/** What stands where an example names a file or a page. */
const nameable: ReadonlySet<string> = new Set(["path", "url", "glob"]);

/** Another word for what a choice does: `remove` for `delete`. */
const isSame = (choice: string, [piece, ...more]: readonly Piece[]): boolean =>
  more.length === 0 && !wide.has(keyOf(choice)) && piece !== undefined && actionsOf(piece.text.toLowerCase()).includes(keyOf(choice));

/** The value of a gap in some pieces of the phrase; undefined when they cannot be one. */
function valueIn({ kind, choices, nouns, prefix, capital, stop, told }: Gap, pieces: readonly Piece[], phrase: Phrase): Json | undefined {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined || first.key === ":" || last.key === ":") return undefined;
  const raw = phrase.text.slice(first.start, last.end);
  if (kind !== "date" && kind !== "number" && (pieces.some((piece) => isInDate(piece, phrase)) || prepositions.has(last.key)))
    return undefined;
  if (kind === "number") return pieces.length === 1 ? numberIn(raw) : undefined;
  if (kind === "date")
    return phrase.marks.find((mark) => mark.kind === "date" && mark.start === first.start && mark.end === last.end)?.value;
  if (kind === "mark")
    return phrase.marks.find((mark) => nameable.has(mark.kind) && mark.start === first.start && mark.end === last.end)?.value;
  if (kind === "choice")
    return choices.find((choice) => choice.toLowerCase() === raw.toLowerCase()) ?? choices.find((choice) => isSame(choice, pieces));
  if (!told && pieces.length === 1 && nouns.has(first.key)) return undefined;
  if (kind === "id" && !raw.startsWith(prefix)) return undefined;
  if (pieces.length > 1 && (kind === "unit" || kind === "address" || kind === "id" || kind === "word")) return undefined;
  if (isMoreThanQuoted({ start: first.start, end: last.end }, phrase, told)) return undefined;
  if (/^-+[a-z]/i.test(raw)) return undefined;
  const bare = told ? raw : raw.replace(wordsAround, "");
  const value = /^(["'`]).*\1$/s.test(bare) ? bare.slice(1, -1) : bare;
  if (value === "" || !hasShape(kind, value) || (pieces.length === 1 && stopWords.has(value.toLowerCase()))) return undefined;
  if (kind === "proper" && !isProper(pieces, phrase)) return undefined;
  const dressed = capital && /^\p{Ll}/u.test(value) ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  return stop ? `${dressed}.` : dressed;
}

/** Capitals all through, or one or two words of a phrase that has no capitals. */
function isProper(pieces: readonly Piece[], { text }: Phrase): boolean {
  if (pieces.slice(0, -1).some(({ isClosed, text: word }, index) => isClosed && !isCapital(pieces[index + 1]?.text ?? word))) return false;
  if (pieces.slice(1, -1).some(({ key }, index) => prepositions.has(key) && !isCapital(pieces[index + 2]?.text ?? ""))) return false;
  if (isCapital(pieces[0]?.text ?? "")) return pieces.length < 5;
  return (
    !/\s\p{Lu}(?!\b)/u.test(text) &&
    pieces.length < 3 &&
    pieces.every((piece) => !after.has(piece.text.toLowerCase()) && !prepositions.has(piece.key))
  );
}

const isInDate = ({ start, end }: Piece, { marks }: Phrase): boolean =>
  marks.some((mark) => mark.kind === "date" && mark.start <= start && end <= mark.end);

/** A piece of a path or an address: whether somebody takes it is seen there. */
const isInMark = ({ start, end }: Piece, { marks }: Phrase): boolean =>
  marks.some((mark) => (mark.kind === "path" || mark.kind === "url") && mark.loose !== true && mark.start <= start && end <= mark.end);

const opensQuote = ({ start }: Span, text: string): boolean =>
  /["'`]/.test(text.charAt(start)) && (start === 0 || /\s/.test(text.charAt(start - 1)));

/** Words beside a quoted text: the value is the quoted text alone, unless what is told holds a quotation. */
function isMoreThanQuoted({ start, end }: Span, { marks, text }: Phrase, told: boolean): boolean {
  const isMore = (mark: Span): boolean =>
    told ? mark.start === start && mark.end < end : mark.start < end && start < mark.end && (mark.start !== start || mark.end !== end);
  return marks.some((mark) => opensQuote(mark, text) && isMore(mark));
}

/** A piece that may follow the last value: courtesy, or a date that another parameter takes. */
const isIdle = (piece: Piece, phrase: Phrase): boolean =>
  piece.isArticle ||
  after.has(piece.text.toLowerCase()) ||
  isInDate(piece, phrase) ||
  (phrase.marks.some(({ kind }) => kind === "date") && prepositions.has(piece.key));

interface State {
  readonly part: number;
  readonly piece: number;
  readonly bound: readonly Bound[];
  readonly matched: readonly string[];
  readonly swapped: number;
}

/** All ways to lay the rest of a frame over the rest of the phrase; the shortest values first. */
function* layings(frame: Frame, pieces: readonly Piece[], phrase: Phrase, state: State): Iterable<State> {
  const part = frame.parts[state.part];
  const rest = frame.parts.slice(state.part);
  const piece = pieces[state.piece];
  const isOver = piece === undefined || pieces.slice(state.piece).every((each) => isIdle(each, phrase));
  if (isOver || part === undefined) {
    if (rest.every((each) => typeof each === "string" || !each.required)) yield state;
    if (part === undefined || piece === undefined) return;
  }
  if (piece === undefined) return;
  if (typeof part === "string") {
    const isSame = part === piece.key;
    if (isSame || (prepositions.has(part) && prepositions.has(piece.key)))
      yield* layings(frame, pieces, phrase, {
        ...state,
        part: state.part + 1,
        piece: state.piece + 1,
        matched: isSame ? [...state.matched, part] : state.matched,
        swapped: state.swapped + (isSame ? 0 : 1),
      });
    if (piece.isArticle || fillers.has(piece.key)) yield* layings(frame, pieces, phrase, { ...state, piece: state.piece + 1 });
    if (fillers.has(part)) yield* layings(frame, pieces, phrase, { ...state, part: state.part + 1 });
    return;
  }
  const most = part.kind === "proper" ? Math.min(pieces.length, state.piece + 5) : pieces.length;
  const isLast = state.part === frame.parts.length - 1;
  if (part.kind === "date" && prepositions.has(piece.key)) yield* layings(frame, pieces, phrase, { ...state, piece: state.piece + 1 });
  const isPassed = piece.isArticle || frame.nouns.has(piece.key);
  if (!part.told && part.nouns.has(piece.key)) yield* layings(frame, pieces, phrase, { ...state, piece: state.piece + 1 });
  if (isPassed && (part.kind !== "text" || pieces.slice(state.piece + 1, state.piece + 3).some(({ text }) => /^["'`]/.test(text))))
    yield* layings(frame, pieces, phrase, { ...state, piece: state.piece + 1 });
  if (part.kind === "text" && /^(?:me|us)$/i.test(piece.text)) yield* layings(frame, pieces, phrase, { ...state, piece: state.piece + 1 });
  const from = state.piece;
  const ends = Array.from({ length: most - from }, (_, index) => from + index + 1);
  for (const end of isLast ? ends.reverse() : ends) {
    const taken = pieces.slice(from, end);
    const value = valueIn(part, taken, phrase);
    if (value === undefined) continue;
    const bound = { gap: part, value, start: taken[0]?.start ?? 0, end: taken.at(-1)?.end ?? 0 };
    yield* layings(frame, pieces, phrase, { ...state, part: state.part + 1, piece: end, bound: [...state.bound, bound] });
  }
}

/** The arguments with a value at a path. */
function put(target: Json, [step, ...rest]: Path, value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(target)) return target.map((each: Json, index) => (index === step ? put(each, rest, value) : each));
  const record = target as Readonly<Record<string, Json>>;
  return { ...record, [step]: put(record[step] ?? {}, rest, value) };
}

/** The example's arguments without those whose gap the phrase leaves open. */
function argumentsOf({ parts, given }: Frame, bound: readonly Bound[]): Readonly<Record<string, Json>> {
  const gaps = parts.filter((part) => typeof part !== "string");
  const open = new Set(gaps.filter((gap) => !bound.some((each) => each.gap === gap)).map(({ path }) => path[0]));
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !open.has(name)));
  return bound.reduce<Json>((args, { gap, value }) => put(args, gap.path, value), kept) as Readonly<Record<string, Json>>;
}

/** What an example leaves unsaid is taken over only when all its words are there; the name of a formula is said by the first of them. */
const mayBeShort = /^formula$/;

const isContent = (key: string): boolean => key !== ":" && !stopWords.has(key) && key !== "be" && key !== "what";

/** Lays an example's pattern over a phrase; undefined when it does not fit. The words before its first value may differ in part. */
export function matchFrame(frame: Frame, phrase: Phrase, taken: readonly Span[] = []): FrameMatch | undefined {
  const start = courtesyLength(phrase.text);
  const isTaken = (piece: Span): boolean => taken.some((span) => span.start <= piece.start && piece.end <= span.end);
  const pieces = piecesIn(phrase).filter((piece) => piece.start >= start && !isTaken(piece));
  const firstGap = frame.parts.findIndex((part) => typeof part !== "string");
  if (firstGap < 0) return matchWords(frame, pieces, phrase);
  const lead = frame.parts.slice(0, firstGap) as readonly string[];
  const anchor = lead.at(-1);
  const starts = anchor === undefined ? freeStarts(frame, pieces) : pieces.flatMap(({ key }, index) => (key === anchor ? [index + 1] : []));
  const matches = starts.flatMap((from) => {
    const before = pieces.slice(0, from);
    for (const state of layings(frame, pieces, phrase, { part: firstGap, piece: from, bound: [], matched: [], swapped: 0 }))
      return judge(frame, lead, before, state, pieces, phrase);
    return [];
  });
  return matches.toSorted((a, b) => b.likeness - a.likeness || a.strange.length - b.strange.length)[0];
}

/** A pattern without values fits when it has all the words and no others. */
function matchWords({ say, parts, given }: Frame, pieces: readonly Piece[], phrase: Phrase): FrameMatch | undefined {
  const words = (parts as readonly string[]).filter(isContent);
  const asked = pieces.filter((piece) => isContent(piece.key) && !isIdle(piece, phrase)).map(({ key }) => key);
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

/** A pattern that begins with a value stands at the beginning, or anywhere when its values can hardly be anything else. */
function freeStarts({ parts }: Frame, pieces: readonly Piece[]): readonly number[] {
  const typed = parts.filter((part) => typeof part !== "string" && strong.has(part.kind)).length;
  return typed > 1 ? pieces.map((_, index) => index) : [0];
}

function judge(
  frame: Frame,
  lead: readonly string[],
  before: readonly Piece[],
  { bound, matched, swapped, piece }: State,
  pieces: readonly Piece[],
  phrase: Phrase,
): readonly FrameMatch[] {
  if (bound.length === 0) return [];
  const said = new Set(before.map(({ key }) => key));
  const literals = frame.parts.filter((part) => typeof part === "string").filter(isContent);
  const shared = [...lead.filter((key) => said.has(key)), ...matched].filter(isContent);
  const rest = [...before, ...pieces.slice(piece)];
  const isStrange = (each: Piece): boolean => isContent(each.key) && !frame.parts.includes(each.key) && !isIdle(each, phrase);
  const strange = rest.filter((each) => isStrange(each) && !isInMark(each, phrase));
  const isGuessed = bound.some(({ gap, value }) => gap.kind === "proper" && typeof value === "string" && !isCapital(value));
  if (isGuessed && shared.length < literals.length) return [];
  const gaps = new Set(frame.parts.flatMap((part) => (typeof part === "string" ? [] : [part.path[0]])));
  if (shared.length < literals.length && Object.keys(frame.given).some((name) => !gaps.has(name) && !mayBeShort.test(name))) return [];
  return [
    {
      say: frame.say,
      arguments: argumentsOf(frame, bound),
      spans: bound.map(({ start, end }) => ({ start, end })),
      told: bound.filter(({ gap }) => gap.told).map(({ start, end }) => ({ start, end })),
      likeness: literals.length === 0 ? 1 : shared.length / literals.length,
      telling: literals.length,
      lead: lead.length,
      swapped,
      strange: strange.map(({ key }) => key),
      typed: bound.filter(({ gap }) => strong.has(gap.kind)).length,
    },
  ];
}
