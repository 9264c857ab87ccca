import { actionsOf } from "../language/actions.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase, Word } from "../phrase/phrase.ts";
import type { Filling } from "../slots/fill-slots.ts";
import { keysOfName, type Route } from "./catalogue.ts";

/** Words that an order to change something may hold whatever it is about. */
const plainWords = words(
  "file folder directory document new empty blank now already exactly called named following another instead using",
);

/** Words that may go with a quoted text that the order uses. */
const textWords = words(
  "text line string word words phrase content contents typo saying says reading containing contains occurrence",
  "occurrences both number",
);

const keysKnownTo = ({ nameKeys, examples, slots }: Route): ReadonlySet<string> =>
  new Set([
    ...nameKeys,
    ...examples.flatMap(({ keys }) => [...keys]),
    ...slots.flatMap(({ name }) => [...keysOfName(name)]),
  ]);

/**
 * True when every word of an order is accounted for: by the route, its examples or its slots. `delete the
 * second paragraph of a.txt` and `delete the text in a.txt` are not about deleting the file.
 */
export function isPlain(phrase: Phrase, order: Order, route: Route, { leftover }: Filling): boolean {
  const known = keysKnownTo(route);
  const usesText =
    phrase.marks.some((mark) => mark.kind === "text" && !leftover.includes(mark)) &&
    route.slots.some(({ kind }) => kind === "text" || kind === "records");
  const isAccounted = (word: Word): boolean =>
    word === order.verb ||
    known.has(word.key) ||
    plainWords.has(word.text) ||
    (usesText && textWords.has(word.text)) ||
    actionsOf(word.text).some((action) => route.actions.has(action));
  return phrase.words
    .filter(({ text, start }) => start >= order.start && !stopWords.has(text))
    .every(isAccounted);
}
