import { keyOf } from "./concepts.ts";
import { stem } from "./stem.ts";
import { words } from "./words.ts";

/** Verbs that can mean several things, with the actions they may stand for. */
const ambiguous: Readonly<Record<string, readonly string[]>> = {
  add: ["append", "insert", "create"],
  put: ["write", "append", "insert"],
  place: ["insert", "write"],
  write: ["write", "append", "insert", "create"],
  set: ["write", "replace", "create", "raise"],
  change: ["replace", "rename"],
  turn: ["replace", "rename"],
  update: ["replace", "write"],
  give: ["rename", "show", "list", "read"],
  call: ["rename", "usage"],
  make: ["create", "replace"],
  replace: ["replace", "write"],
  throw: ["delete"],
  wipe: ["delete"],
  get: ["show", "list", "read", "details"],
  show: ["list", "read"],
  display: ["list", "read"],
  extend: ["append", "raise"],
  allow: ["raise"],
  drop: ["delete"],
  plan: ["think"],
};

const byStem = new Map(Object.entries(ambiguous).map(([verb, actions]) => [stem(verb), actions]));

/** What a verb may ask for: its own concept first. */
export function actionsOf(verb: string): readonly string[] {
  const key = keyOf(verb);
  return [key, ...(byStem.get(stem(verb)) ?? []).filter((action) => action !== key)];
}

/** True for a verb of the table, or one whose concept is an action. */
export const isAction = (word: string): boolean => byStem.has(stem(word)) || actionConcepts.has(keyOf(word));

/** True for a verb that asks for something to be changed: reading is no answer to it. */
export const asksForChange = (verb: string): boolean => changing.has(keyOf(verb)) || changing.has(stem(verb));

const changing: ReadonlySet<string> = new Set(
  [
    ...words(
      "delete rename create write append insert replace add put set update drop wipe edit change copy duplicate clear truncate",
      "fix refactor improve optimise optimize translate rewrite clean format convert compress upload download send",
    ),
  ].flatMap((verb) => [verb, stem(verb)]),
);

const actionConcepts: ReadonlySet<string> = words(
  "read show list search delete rename create write append insert replace check summary think ask choose confirm raise",
);
