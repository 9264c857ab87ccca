import { asksForChange, isAction } from "../language/actions.ts";
import { escaped } from "../language/escaped.ts";
import { fileKindOf } from "../marks/file-kinds.ts";
import type { Mark, MarkKind } from "../marks/mark.ts";
import { type Order, questionWords } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Filling } from "../slots/fill-slots.ts";
import { isExact } from "../slots/give-frame.ts";
import { knownKeys, type Route } from "./catalogue.ts";
import { floors, weights } from "./weights.ts";
import type { WordScore } from "./word-score.ts";

/** Marks that somebody gives for a purpose: a route that cannot use them is hardly meant. */
const telling: ReadonlySet<MarkKind> = new Set<MarkKind>([
  "text",
  "regex",
  "symbol",
  "glob",
  "extension",
  "id",
  "url",
  "address",
]);

const changes: ReadonlySet<string> = new Set(["delete", "rename", "create", "append", "insert", "replace"]);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const isSolid = ({ loose }: Mark): boolean => loose !== true;

/**
 * Slots filled with a kind of mark that the examples show there speak for the route; other kinds speak a
 * little against it.
 */
function markScore(phrase: Phrase, { examples, slots }: Route, { leftover }: Filling): number {
  const shown = new Set(examples.flatMap(({ cues }) => cues.map(({ kind }) => kind)));
  if (shown.size === 0 && slots.length > 0) return 0;
  const used = phrase.marks.filter(
    (mark) => !leftover.includes(mark) && mark.kind !== "number" && isSolid(mark),
  );
  const strange = used.filter(
    ({ kind }) => !shown.has(kind) && !(kind === "text" && shown.has("path")) && kind !== "here",
  );
  if (strange.length > 0) return weights.strange * strange.length;
  return used.length > 0 ? weights.familiar : 0;
}

/** A file of a kind that no example has. */
const isOddFile = (phrase: Phrase, { fileKinds }: Route): boolean =>
  fileKinds.size > 0 &&
  phrase.marks.some(({ kind, value }) => {
    const fileKind = kind === "path" ? fileKindOf(String(value)) : undefined;
    return fileKind !== undefined && !fileKinds.has(fileKind);
  });

const isFileName = (value: unknown): boolean => typeof value === "string" && /[^.]\.\w{1,5}$/.test(value);

/** How well the phrase's pieces go into the route's slots. */
export function fillingScore(phrase: Phrase, route: Route, filling: Filling): number {
  const left = filling.leftover
    .filter(isSolid)
    .map(({ kind }) => (telling.has(kind) ? weights.unused : weights.leftover));
  const isLonely = route.slots.some(
    ({ kind, name }) =>
      kind === "records" && (filling.arguments[name] as readonly unknown[] | undefined)?.length === 1,
  );
  const isOdd = route.nameKeys.has("directory") && Object.values(filling.arguments).some(isFileName);
  return sum([
    weights.missing * filling.missing.length,
    ...left,
    weights.loose * filling.leftover.filter(({ kind, loose }) => loose === true && kind === "path").length,
    isLonely ? weights.lonely : 0,
    isOdd ? weights.strange : 0,
    isOddFile(phrase, route) ? weights.strange : 0,
    markScore(phrase, route, filling),
  ]);
}

/** An order to change something is not answered by reading, and talk of a change hardly. */
function contraryScore(
  { words, marks }: Phrase,
  { verb }: Order,
  route: Route,
  { action }: WordScore,
): number {
  if (route.careful) return action === 0 ? weights.idle : 0;
  if (action === 1) return 0;
  if (verb !== undefined && asksForChange(verb.text)) return weights.contrary;
  const known = knownKeys(route);
  return marks.length > 0 && words.some(({ key }) => changes.has(key) && !known.has(key))
    ? weights.talked
    : 0;
}

/** Nothing but the verb and words of its own: no mark, and no noun that the route knows. */
export function isBare({ marks, keys }: Phrase, order: Order, { nameKeys, examples }: Route): boolean {
  if (marks.some((mark) => isSolid(mark) && mark.kind !== "number" && mark.kind !== "here")) return false;
  const nouns = [...keys].filter(
    (key) => key !== order.verb?.key && !key.startsWith("<") && !questionWords.has(key) && !isAction(key),
  );
  return !nouns.some((key) => nameKeys.has(key) || examples.some((example) => example.keys.has(key)));
}

/** A bare phrase whose meaning is not like the examples either. */
function doubtScore(
  phrase: Phrase,
  order: Order,
  route: Route,
  words: WordScore,
  filling: Filling,
  meaning: number | undefined,
): number {
  const isMeant = isExact(filling.frame) || (words.unmistakable && Object.keys(filling.arguments).length > 0);
  return meaning !== undefined && meaning < floors.likeAtAll && !isMeant && isBare(phrase, order, route)
    ? weights.doubt
    : 0;
}

const isNamed = ({ text }: Phrase, { name }: Route): boolean =>
  name.includes("_") && new RegExp(`\\b${escaped(name)}\\b`, "i").test(text);

/** What speaks for or against a route besides likeness and filling. */
export const otherScore = (
  phrase: Phrase,
  order: Order,
  route: Route,
  words: WordScore,
  filling: Filling,
  meaning: number | undefined,
): number =>
  (isNamed(phrase, route) ? weights.mentioned : 0) +
  contraryScore(phrase, order, route, words) +
  doubtScore(phrase, order, route, words, filling, meaning);
