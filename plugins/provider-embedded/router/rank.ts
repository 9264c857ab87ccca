import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { isExact } from "../slots/give-frame.ts";
import { type Filling, fillSlots } from "../slots/fill-slots.ts";
import type { Route } from "./catalogue.ts";
import { fillingScore, otherScore } from "./circumstances.ts";
import { prefers } from "./preferences.ts";
import { weights } from "./weights.ts";
import { type KeyWeights, weighKeys, wordScore, type WordScore } from "./word-score.ts";

/** A route with all that speaks for and against it. */
export interface Candidate {
  readonly route: Route;
  /** The phrase as the route reads it: with dates where it takes some. */
  readonly phrase: Phrase;
  readonly order: Order;
  readonly filling: Filling;
  readonly words: WordScore;
  /** Cosine to the nearest example; undefined when it was not asked. */
  readonly meaning: number | undefined;
  readonly score: number;
  /** The part of the score that custom gives, not likeness. */
  readonly preferred: number;
}

/** A phrase and how plainly it orders something. */
export interface Reading {
  readonly phrase: Phrase;
  readonly order: Order;
}

/** A phrase with and without its dates marked: to most operations `today` is a word like others. */
export interface Readings {
  readonly plain: Reading;
  readonly dated: Reading;
}

/** What a phrase is compared with: the routes, and how much each word tells among them. */
export interface RoutingTable {
  readonly routes: readonly Route[];
  readonly keyWeights: KeyWeights;
}

export const routingTable = (routes: readonly Route[]): RoutingTable => ({
  routes,
  keyWeights: weighKeys(routes),
});

function evidence(words: WordScore, meaning: number | undefined): number {
  const blend = weights.example * words.example + weights.meaning * Math.max(0, meaning ?? 0);
  const likeness = meaning === undefined ? words.example : Math.max(blend, weights.wordsOnly * words.example);
  return (
    weights.likeness * likeness +
    weights.name * words.name +
    weights.about * words.about +
    weights.action * words.action +
    (words.unmistakable ? weights.unmistakable : 0)
  );
}

function candidate(
  readings: Readings,
  route: Route,
  keyWeights: KeyWeights,
  meaning: number | undefined,
): Candidate {
  const { phrase, order } = readings[route.slots.some(({ kind }) => kind === "date") ? "dated" : "plain"];
  const words = wordScore(phrase, order, route, keyWeights);
  const unsaid = phrase.marks.length > 0 ? [] : route.examples.map(({ implied }) => implied);
  const filling = fillSlots(
    phrase,
    route,
    Object.assign({}, ...unsaid, words.nearest?.implied) as Filling["arguments"],
  );
  const preferred = prefers(phrase, order, route, filling);
  const score =
    evidence(words, meaning) +
    fillingScore(phrase, route, filling) +
    otherScore(phrase, order, route, words, filling, meaning) +
    preferred +
    frameScore(filling);
  return { route, phrase, order, filling, words, meaning, score, preferred };
}

/**
 * A phrase that follows an example: its values in its places, the more so when they can hardly be anything
 * else.
 */
const frameScore = ({ frame }: Filling): number =>
  frame === undefined
    ? 0
    : (isExact(frame) ? weights.exact : 0) +
      Math.max(0, frame.likeness - 0.2 * frame.strange.length) *
        (weights.framed + weights.typed * frame.typed);

const byScore = (a: Candidate, b: Candidate): number => b.score - a.score;

/**
 * Words that belong to other routes count against a route, as far as the likeliest ones have fewer of them.
 */
function weighForeign(candidates: readonly Candidate[]): readonly Candidate[] {
  const least = Math.min(
    ...candidates
      .toSorted(byScore)
      .slice(0, 4)
      .map(({ words }) => words.foreign),
  );
  return candidates.map((each) => ({
    ...each,
    score: each.score + weights.foreign * Math.max(0, each.words.foreign - least),
  }));
}

/** The routes for a phrase, the best first. `meaning` gives the cosine of a route where it is known. */
export function rank(
  readings: Readings,
  { routes, keyWeights }: RoutingTable,
  meaning?: ReadonlyMap<Route, number>,
): readonly Candidate[] {
  const candidates = routes.map((route) => candidate(readings, route, keyWeights, meaning?.get(route)));
  return weighForeign(candidates).toSorted(byScore);
}
