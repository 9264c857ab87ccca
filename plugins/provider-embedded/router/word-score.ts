import { actionsOf } from "../language/actions.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { LearnedExample } from "../slots/learn-example.ts";
import { knownKeys, type Route } from "./catalogue.ts";

/** How much a key tells about which route is meant: rare among the routes counts more. */
type Weigh = (key: string) => number;

/** What keys weigh among some routes. */
export interface KeyWeights {
  readonly weigh: Weigh;
  /** What a key weighs that only one of the routes knows. */
  readonly most: number;
  readonly isKnown: (key: string) => boolean;
  /** Only one of the routes does what the key says. */
  readonly isOwn: (key: string) => boolean;
}

/**
 * Weights by the number of routes that know a key. A key that no route knows counts little: it belongs to the
 * matter, not the request.
 */
export function weighKeys(routes: readonly Route[]): KeyWeights {
  const counts = new Map<string, number>();
  for (const key of routes.flatMap((route) => [...knownKeys(route)]))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const weigh: Weigh = (key) => {
    const count = counts.get(key);
    return count === undefined ? 0.5 : Math.log(1 + routes.length / count);
  };
  return {
    weigh,
    most: Math.log(1 + routes.length),
    isKnown: (key) => counts.has(key),
    isOwn: (key) => routes.filter(({ actions }) => actions.has(key)).length === 1,
  };
}

export interface WordScore {
  /** 0 to 1: the likeness to the nearest example; to name and description where there is no example. */
  readonly example: number;
  readonly nearest: LearnedExample | undefined;
  /** 0 to 1: how much of the operation's name is in the phrase. */
  readonly name: number;
  /** 0 to 1: how much of the phrase is in the operation's description. */
  readonly about: number;
  /** 1 when the leading verb asks for what the operation does. */
  readonly action: 0 | 1;
  /** 0 and more: words that belong to other routes and not to this one. */
  readonly foreign: number;
  /** The leading verb fits, and no other route knows it. */
  readonly unmistakable: boolean;
}

const sum = (keys: Iterable<string>, weigh: Weigh): number =>
  [...keys].reduce((total, key) => total + weigh(key), 0);
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] =>
  [...a].filter((key) => b.has(key));
const share = (part: readonly string[], whole: ReadonlySet<string>, weigh: Weigh): number =>
  sum(part, weigh) / (sum(whole, weigh) || 1);

/**
 * How much of the example is in the phrase, and of the phrase in the example. Where words may stand freely,
 * unknown ones count less.
 */
function likeness(phrase: Phrase, { keys, open }: LearnedExample, weigh: Weigh): number {
  const both = shared(keys, phrase.keys);
  if (both.length === 0) return 0;
  const weighAsked: Weigh = open ? (key) => weigh(key) * (keys.has(key) ? 1 : 0.4) : weigh;
  return 0.5 * share(both, keys, weigh) + 0.5 * (sum(both, weigh) / sum(phrase.keys, weighAsked));
}

function foreignScore(phrase: Phrase, route: Route, { weigh, most, isKnown }: KeyWeights): number {
  const own = new Set([...knownKeys(route), ...route.actions]);
  const isForeign = (key: string, text: string): boolean =>
    isKnown(key) && !own.has(key) && !actionsOf(text).some((each) => own.has(each));
  const foreign = phrase.words.filter(({ key, text }) => phrase.keys.has(key) && isForeign(key, text));
  return foreign.reduce((total, { key }) => total + weigh(key) / most, 0);
}

/** Compares a phrase with a route word by word. */
export function wordScore(phrase: Phrase, { verb }: Order, route: Route, keyWeights: KeyWeights): WordScore {
  const { weigh, most, isOwn } = keyWeights;
  const ranked = route.examples
    .map((example) => ({ example, score: likeness(phrase, example, weigh) }))
    .toSorted((a, b) => b.score - a.score);
  const name = share(shared(route.nameKeys, phrase.keys), route.nameKeys, weigh);
  const about = share(shared(route.aboutKeys, phrase.keys), phrase.keys, weigh);
  const action = verb !== undefined && actionsOf(verb.text).some((each) => route.actions.has(each)) ? 1 : 0;
  return {
    example: ranked[0]?.score ?? (name + about) / 2,
    nearest: ranked[0]?.example,
    name,
    about,
    action,
    foreign: foreignScore(phrase, route, keyWeights),
    unmistakable: action === 1 && verb !== undefined && (weigh(verb.key) === most || isOwn(verb.key)),
  };
}
