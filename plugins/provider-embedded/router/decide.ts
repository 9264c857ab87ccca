import { actionsOf } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { stopWords } from "../language/stop-words.ts";
import { keysOfName, knownKeys, type Route } from "./catalogue.ts";
import type { Decision } from "./decision.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Candidate } from "./rank.ts";
import { floors } from "./weights.ts";

const none: Decision = { kind: "none" };
const refusals: ReadonlySet<string> = new Set(["negated", "withdrawn", "postponed"]);

/** Looking something up: a good likeness is enough, for nothing can break. */
function decideReading({ route, filling, score, words }: Candidate, order: Order): Decision {
  const bare =
    words.action === 0 &&
    filling.loose.length > 0 &&
    filling.loose.every((name) => route.slots.find((slot) => slot.name === name)?.required === true);
  const guessed =
    words.action === 0 &&
    words.name < 0.5 &&
    filling.loose.some((name) => route.slots.some((slot) => slot.name === name && slot.role === "free"));
  if (guessed || score < (bare ? floors.bare : floors.reading)) return none;
  if (order.objection !== undefined && refusals.has(order.objection) && words.action === 0) return none;
  const slot = filling.missing[0];
  if (slot === undefined) return { kind: "call", route, arguments: filling.arguments };
  return words.action === 1 ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
}

/** Nouns that a plain order may hold besides what the route knows. */
const plainNouns = new Set(
  "file directory text line content new empty blank word string name end first all typo mention now it place copy exist already existing exactly both number call called named name following another instead say read contain"
    .split(" ")
    .map((word) => keyOf(word)),
);

/** Words that nothing accounts for: `delete the second paragraph of a.txt` is not about deleting the file. */
function strangeWords(phrase: Phrase, order: Order, route: Route): boolean {
  const known = new Set([...knownKeys(route), ...route.slots.flatMap(({ name }) => [...keysOfName(name)])]);
  const words = phrase.words.filter(({ text, start }) => start >= order.start && !stopWords.has(text));
  return words.some(
    (word) =>
      word !== order.verb &&
      !known.has(word.key) &&
      !plainNouns.has(word.key) &&
      !actionsOf(word.text).some((action) => route.actions.has(action)),
  );
}

const isDestructiveSlip = (order: Order, { route }: Candidate): boolean => order.verb?.corrected === true && route.name.includes("delete");

/** Changing something: only on a plain order, with every required slot given in so many words. */
function decideChange(phrase: Phrase, best: Candidate, rivals: readonly Candidate[], order: Order): Decision {
  const { route, filling, score, words } = best;
  const held: Decision = { kind: "held", route, objection: order.objection ?? "unclear" };
  if (words.action === 0 || order.objection !== undefined) return score >= floors.held ? held : none;
  const slot = filling.missing[0];
  if (slot !== undefined) return score >= floors.careful - 0.15 ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
  if (score < floors.careful) return score >= floors.held ? { kind: "confirm", route, arguments: filling.arguments } : none;
  if (filling.leftover.some(({ kind, loose }) => kind !== "number" || loose !== true)) return held;
  const rival = rivals.find(
    (each) => each.route.careful && each.words.action === 1 && each.filling.missing.length + each.filling.leftover.length === 0,
  );
  const close = rival !== undefined && score - rival.score < floors.rival;
  if (filling.loose.length > 0 || close || strangeWords(phrase, order, route) || isDestructiveSlip(order, best))
    return { kind: "confirm", route, arguments: filling.arguments };
  return { kind: "call", route, arguments: filling.arguments };
}

/** Nothing fits well, but the phrase is of a kind that has one usual meaning, such as a question about a file. */
function decideUsual(ranked: readonly Candidate[], order: Order): Decision {
  const usual = ranked.find(({ preferred, score }) => preferred > 0 && score >= floors.usual);
  if (usual === undefined || (order.objection !== undefined && refusals.has(order.objection))) return none;
  return { kind: "call", route: usual.route, arguments: usual.filling.arguments };
}

/** What to do about a phrase, given the ranked routes. */
export function decide(phrase: Phrase, order: Order, [best, ...rivals]: readonly Candidate[]): Decision {
  if (best === undefined) return none;
  const decision = best.route.careful ? decideChange(phrase, best, rivals, order) : decideReading(best, order);
  return decision.kind === "none" ? decideUsual([best, ...rivals], order) : decision;
}
