import { type Filling, fillSlots } from "../slots/fill-slots.ts";
import type { Mark } from "../marks/mark.ts";
import type { Route } from "./catalogue.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { asksForChange } from "../language/actions.ts";
import { prefers } from "./preferences.ts";
import { type KeyWeights, weighKeys, wordScore, type WordScore } from "./word-score.ts";
import { weights } from "./weights.ts";

/** A route with all that speaks for and against it. */
export interface Candidate {
  readonly route: Route;
  readonly filling: Filling;
  readonly words: WordScore;
  /** Cosine to the nearest example; undefined when it was not asked. */
  readonly meaning: number | undefined;
  readonly score: number;
}

/** What a phrase is compared with: the routes, and how much each word tells among them. */
export interface RoutingTable {
  readonly routes: readonly Route[];
  readonly weights: KeyWeights;
}

export const routingTable = (routes: readonly Route[]): RoutingTable => ({ routes, weights: weighKeys(routes) });

/** Slots filled with a kind of mark that the examples show there speak for the route; other marks speak a little against it. */
function markScore(phrase: Phrase, { examples, slots }: Route, { leftover }: Filling): number {
  const shown = new Set(examples.flatMap(({ cues }) => cues.map(({ kind }) => kind)));
  if (shown.size === 0 && slots.length > 0) return 0;
  const used = phrase.marks.filter((mark: Mark) => !leftover.includes(mark) && mark.kind !== "number" && mark.loose !== true);
  const strange = used.filter(({ kind }) => !shown.has(kind) && !(kind === "text" && shown.has("path")) && kind !== "here");
  return strange.length > 0 ? weights.strange * strange.length : used.length > 0 ? weights.familiar : 0;
}

function evidence(words: WordScore, meaning: number | undefined): number {
  const blend = weights.example * words.example + weights.meaning * Math.max(0, meaning ?? 0);
  const likeness = meaning === undefined ? words.example : Math.max(blend, weights.wordsOnly * words.example);
  return weights.likeness * likeness + weights.name * words.name + weights.about * words.about + weights.action * words.action;
}

function fillingScore(phrase: Phrase, route: Route, filling: Filling): number {
  const solid = filling.leftover.filter(({ loose }) => loose !== true);
  const left = solid.reduce((total, { kind }) => total + (kind === "text" || kind === "regex" || kind === "symbol" ? weights.unused : weights.leftover), 0);
  const lonely = route.slots.some(({ kind, name }) => kind === "records" && (filling.arguments[name] as readonly unknown[] | undefined)?.length === 1);
  return weights.missing * filling.missing.length + left + (lonely ? weights.lonely : 0) + markScore(phrase, route, filling);
}

/** One route for one phrase. */
export function candidate(phrase: Phrase, order: Order, route: Route, keyWeights: KeyWeights, meaning?: number): Candidate {
  const words = wordScore(phrase, order, route, keyWeights);
  const unsaid = phrase.marks.length > 0 ? {} : Object.assign({}, ...route.examples.map(({ implied }) => implied));
  const filling = fillSlots(phrase, route, { ...unsaid, ...words.nearest?.implied });
  const idle = route.careful && words.action === 0 ? weights.idle : 0;
  const contrary = !route.careful && words.action === 0 && order.verb !== undefined && asksForChange(order.verb.text) ? weights.contrary : 0;
  const doubt = meaning !== undefined && meaning < 0.2 && phrase.marks.every(({ loose }) => loose === true) && words.example < 0.7 && !words.unmistakable ? weights.doubt : 0;
  const mentioned = new RegExp(`\\b${route.name}\\b`, "i").test(phrase.text) && route.name.includes("_") ? weights.mentioned : 0;
  const score = evidence(words, meaning) + fillingScore(phrase, route, filling) + mentioned + idle + contrary + doubt + prefers(phrase, order, route, filling);
  return { route, filling, words, meaning, score };
}

/** The routes for a phrase, the best first. `meaning` gives the cosine of a route where it is known. */
export function rank(phrase: Phrase, order: Order, { routes, weights: keyWeights }: RoutingTable, meaning: (route: Route) => number | undefined = () => undefined): readonly Candidate[] {
  return routes.map((route) => candidate(phrase, order, route, keyWeights, meaning(route))).sort((a, b) => b.score - a.score);
}
