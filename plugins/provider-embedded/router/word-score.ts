import { actionsOf } from "../language/actions.ts";
import type { LearnedExample } from "../slots/learn-example.ts";
import { knownKeys, type Route } from "./catalogue.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";

/** How much a key tells about which route is meant: rare among the routes counts more. */
export type Weigh = (key: string) => number;

/** What a key weighs that only one of so many routes knows. */
const alone = (routes: number): number => Math.log(1 + routes);

/** Weights by the number of routes that know a key. A key that no route knows counts little: it belongs to the matter, not the request. */
export function weighKeys(routes: readonly Route[]): {
  readonly weigh: Weigh;
  readonly most: number;
  readonly isKnown: (key: string) => boolean;
} {
  const counts = new Map<string, number>();
  for (const { nameKeys, aboutKeys, examples } of routes) {
    for (const key of new Set([...nameKeys, ...aboutKeys, ...examples.flatMap(({ keys }) => [...keys])]))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const weigh: Weigh = (key) => {
    const count = counts.get(key);
    return count === undefined ? 0.5 : alone(routes.length / count);
  };
  return { weigh, most: alone(routes.length), isKnown: (key: string): boolean => counts.has(key) };
}

export type KeyWeights = ReturnType<typeof weighKeys>;

const sum = (keys: Iterable<string>, weigh: Weigh): number => [...keys].reduce((total, key) => total + weigh(key), 0);
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] => [...a].filter((key) => b.has(key));

function likeness(phrase: Phrase, { keys, open }: LearnedExample, weigh: Weigh): number {
  const both = sum(shared(keys, phrase.keys), weigh);
  const asked = sum(phrase.keys, open ? (key) => (keys.has(key) ? weigh(key) : weigh(key) * 0.4) : weigh);
  return both === 0 ? 0 : 0.5 * (both / sum(keys, weigh)) + 0.5 * (both / asked);
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
  readonly action: number;
  /** 0 and more: words that belong to other routes and not to this one. */
  readonly foreign: number;
  /** The leading verb fits, and no other route knows it. */
  readonly unmistakable: boolean;
}

/** Compares a phrase with a route word by word. */
export function wordScore(phrase: Phrase, order: Order, route: Route, { weigh, most, isKnown }: KeyWeights): WordScore {
  const ranked = route.examples.map((example) => ({ example, score: likeness(phrase, example, weigh) })).sort((a, b) => b.score - a.score);
  const name = sum(shared(route.nameKeys, phrase.keys), weigh) / (sum(route.nameKeys, weigh) || 1);
  const about = sum(shared(route.aboutKeys, phrase.keys), weigh) / (sum(phrase.keys, weigh) || 1);
  const own = new Set([...knownKeys(route), ...route.actions]);
  const others = phrase.words.filter(
    ({ key, text }) => phrase.keys.has(key) && isKnown(key) && !own.has(key) && !actionsOf(text).some((each) => own.has(each)),
  );
  const foreign = others.reduce((total, { key }) => total + weigh(key) / most, 0);
  const action = order.verb !== undefined && actionsOf(order.verb.text).some((each) => route.actions.has(each)) ? 1 : 0;
  return {
    example: ranked[0]?.score ?? 0,
    nearest: ranked[0]?.example,
    name,
    about,
    action,
    foreign,
    unmistakable: action === 1 && order.verb !== undefined && weigh(order.verb.key) === most,
  };
}
