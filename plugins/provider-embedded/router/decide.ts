import { anyOf } from "../language/any-of.ts";
import { courtesyLength } from "../language/politeness.ts";
import { type Order, readOrder } from "../phrase/order.ts";
import { type Phrase, readPhrase, type Word } from "../phrase/phrase.ts";
import { isExact } from "../slots/give-frame.ts";
import type { FrameMatch } from "../slots/match-frame.ts";
import type { Slot } from "../slots/slot.ts";
import { isTrial } from "../slots/switches.ts";
import type { Decision } from "./decision.ts";
import { isPlain } from "./plainness.ts";
import type { Candidate } from "./rank.ts";
import { floors } from "./weights.ts";

const none: Decision = { kind: "none" };
/** What is said about the order itself, wherever it stands. */
const final: ReadonlySet<string> = new Set(["withdrawn", "postponed"]);
const refusals: ReadonlySet<string> = new Set(["negated", "withdrawn", "postponed"]);

/**
 * `how do I …`, `why …`, `what does … do?`: it asks for an explanation, not for something that can be looked
 * up, unless it names something.
 */
const general = anyOf(
  "i",
  /^(?:how (?:do|can|could|should|would|did) (?:i|you|we|one|people)|how (?:do|does) (?!(?:the|my|our|this)\b)|how to|why)\b/,
  /^what(?:'s| is) the difference between\b/,
  /^what (?:does|do|did|would) .*\b(?:do|mean|happen|cost)\s*\??$/,
);

const isGeneral = ({ phrase: { text, marks }, filling: { frame }, words: { nearest } }: Candidate): boolean =>
  general.test(text.slice(courtesyLength(text))) &&
  !general.test(nearest?.say ?? "") &&
  !isExact(frame) &&
  !marks.some(({ kind }) => named.has(kind));
const named: ReadonlySet<string> = new Set(["path", "symbol", "url", "id", "here"]);

/** Looking something up: a good likeness is enough, for nothing can break. */
function decideReading(candidate: Candidate): Decision {
  const { phrase, order, route, filling, score, words } = candidate;
  const asked =
    (words.action === 1 && phrase.words.length > 1) ||
    order.objections[0] === "question" ||
    Object.keys(filling.arguments).length > 0;
  const guessed = words.action === 0 && filling.loose.length > 0;
  const isVague =
    guessed &&
    words.name < 0.4 &&
    filling.loose.some((name) => route.slots.some((slot) => slot.name === name && slot.role === "free"));
  if (!asked || isVague || score < (guessed ? floors.bare : floors.reading)) return none;
  if (order.objections.includes("ability") || isGeneral(candidate)) return none;
  if (refusals.has(order.objections[0] ?? "") && !order.objections.includes("question") && words.action === 0)
    return none;
  const slot = filling.missing[0];
  if (slot === undefined) return { kind: "call", route, arguments: filling.arguments };
  return words.action === 1 ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
}

const isDestructiveSlip = (order: Order, { route }: Candidate): boolean =>
  order.verb?.corrected === true && route.name.includes("delete");

/**
 * The verb is another operation's own, and this one only knows it as another word: `write a.txt` is no order
 * to create it.
 */
function isBorrowed({ verb }: Order, { route, score }: Candidate, rivals: readonly Candidate[]): boolean {
  if (verb === undefined || route.nameKeys.has(verb.key)) return false;
  return rivals.some(
    (rival) =>
      rival.route.careful && rival.route.nameKeys.has(verb.key) && score - rival.score < floors.borrowed,
  );
}

/** Another change that the order would fit just as well. */
function hasRival({ score }: Candidate, rivals: readonly Candidate[]): boolean {
  const rival = rivals.find(
    ({ route, words, filling }) =>
      route.careful && words.action === 1 && filling.missing.length + filling.leftover.length === 0,
  );
  return rival !== undefined && score - rival.score < floors.rival;
}

/**
 * Not said in the form of an order, but complete and very like an example of the same form: worth a question.
 */
function mayAsk({ score, filling, words }: Candidate, objection: string | undefined): boolean {
  if (score < floors.careful || filling.missing.length + filling.leftover.length > 0) return false;
  const isUsual =
    objection === "question" &&
    words.nearest !== undefined &&
    readOrder(readPhrase(words.nearest.say)).objections[0] === "question";
  return objection === undefined || isUsual;
}

/**
 * A value in bare words that holds the name of what another family would change: `add milk to the note` is no
 * title.
 */
function swallowsRival(
  { phrase, route, filling: { frame }, score }: Candidate,
  rivals: readonly Candidate[],
): boolean {
  const isInside = ({ start, end }: Word): boolean =>
    frame?.spans.some((span) => span.start <= start && end <= span.end) === true;
  const inside = new Set(phrase.words.filter(isInside).map(({ key }) => key));
  const isNear = (rival: Candidate): boolean =>
    rival.route.careful && rival.route.tool !== route.tool && score - rival.score < floors.near;
  return rivals.some(
    (rival) =>
      isNear(rival) && rival.words.action === 1 && [...rival.route.nameKeys].some((key) => inside.has(key)),
  );
}

/** Something was given besides choices: a change for which nothing was must be called by its name. */
const isGiven = ({ route, filling }: Candidate): boolean =>
  route.slots.some(({ name, kind }) => kind !== "choice" && kind !== "boolean" && name in filling.arguments);

/**
 * What speaks against an order that follows an example: neither what the example says too, nor words that are
 * only to be told on.
 */
function remaining(phrase: Phrase, { say, told }: FrameMatch): readonly string[] {
  const example = readOrder(readPhrase(say));
  const usual = new Set(example.objections);
  if (example.verb !== undefined && readOrder(phrase).verb === undefined) return ["unclear"];
  const last = readOrder(phrase).objections.filter((each) => final.has(each));
  return [...readOrder(phrase, told).objections, ...last].filter((each) => !usual.has(each));
}

/** Changing something: only on a plain order, with every required slot given in so many words. */
function decideChange(phrase: Phrase, best: Candidate, rivals: readonly Candidate[], order: Order): Decision {
  const { route, filling, score, words } = best;
  const follows = isExact(filling.frame);
  const [objection] =
    follows && filling.frame !== undefined ? remaining(phrase, filling.frame) : order.objections;
  const isDoubtful = (words.action === 0 && !follows) || objection !== undefined;
  if (isDoubtful && !mayAsk(best, objection))
    return score >= floors.held ? { kind: "held", route, objection: objection ?? "unclear" } : none;
  const slot = filling.missing[0] ?? openChoice(best);
  if (slot !== undefined)
    return score >= floors.missing ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
  if (score < floors.held) return none;
  const isCertain =
    !isDoubtful &&
    score >= floors.careful &&
    filling.loose.length === 0 &&
    (follows || words.name > 0 || isGiven(best)) &&
    (follows || isPlain(phrase, order, route, filling)) &&
    !hasRival(best, rivals) &&
    !swallowsRival(best, rivals) &&
    !(isBorrowed(order, best, rivals) && !follows) &&
    !isDestructiveSlip(order, best);
  const isLeftOver = filling.leftover.some(
    ({ kind, loose }) => loose !== true || (kind !== "number" && !follows),
  );
  if (isLeftOver) return { kind: "held", route, objection: isCertain ? "leftover" : "unclear" };
  return { kind: isCertain ? "call" : "confirm", route, arguments: filling.arguments };
}

/**
 * Nothing fits well, but the phrase is of a kind that has one usual meaning, such as a question about a file.
 */
function decideUsual(ranked: readonly Candidate[]): Decision {
  const usual = ranked.find(({ preferred, score }) => preferred > 0 && score >= floors.usual);
  if (usual === undefined || refusals.has(usual.order.objections[0] ?? "") || isGeneral(usual)) return none;
  return { kind: "call", route: usual.route, arguments: usual.filling.arguments };
}

const looking: ReadonlySet<string> = new Set(["show", "list", "read"]);
const readingChoice = /^(?:list|show|get|read|status)$/;

/** The choice between reading and changing, where it was not made. */
const openChoice = ({ route, filling }: Candidate): Slot | undefined =>
  route.slots.find(
    ({ kind, name, schema }) =>
      route.reads &&
      kind === "choice" &&
      readingChoice.test(String(schema.default)) &&
      !(name in filling.arguments),
  );

/**
 * An operation that reads or changes by its choice, and the choice says to read; or that only tries what it
 * would change.
 */
const onlyReads = ({ route, filling, words, order }: Candidate): boolean => {
  const switches = route.slots.filter(isTrial).map(({ name }) => name);
  if (switches.some((name) => filling.arguments[name] === true)) return true;
  const isAsked = order.objections[0] === "question" || looking.has(order.verb?.key ?? "");
  const choices = route.slots
    .filter(({ kind }) => kind === "choice")
    .flatMap(({ name, schema }) => filling.arguments[name] ?? (isAsked ? (schema.default ?? []) : []));
  const isReading =
    choices.length > 0 && choices.every((choice) => typeof choice === "string" && readingChoice.test(choice));
  return words.name > 0 && route.reads && isReading;
};

/** What to do about a phrase, given the ranked routes. */
export function decide([best, ...rivals]: readonly Candidate[]): Decision {
  if (best === undefined) return none;
  const { phrase, order } = best;
  const decision =
    best.route.careful && !onlyReads(best) ? decideChange(phrase, best, rivals, order) : decideReading(best);
  return decision.kind === "none" ? decideUsual([best, ...rivals]) : decision;
}
