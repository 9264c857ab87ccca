import { anyOf } from "../language/any-of.ts";
import { courtesyLength } from "../language/politeness.ts";
import { blankMarks } from "../phrase/fold-expressions.ts";
import { isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { stem } from "../language/stem.ts";
import { stopWords } from "../language/stop-words.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Slot } from "./slot.ts";

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

/** A switch that leaves all as it is: the operation only tells whether it could do it. */
export const isTrial = ({ kind, name }: Slot): boolean =>
  kind === "boolean" && /^(?:dry_?run|check_?only|preview)$/i.test(name);

const asksWhether = anyOf(
  "i",
  /^(?:would|does|do|will|can|could|is|are)\b(?! you\b)/,
  /\b(?:check|test|try|see|tell me|find out) (?:only |just )?(?:whether|if)\b|\b(?:dry|trial|test)[- ]run\b/,
);
const triesOnly = (phrase: Phrase): boolean =>
  asksWhether.test(blankMarks(phrase.text, phrase.marks).slice(courtesyLength(phrase.text)));

/** Words that switch a boolean on: those of its name that are no verb of their own, by stem or concept. */
function cuesOf({ name }: Slot): readonly ((phrase: Phrase) => boolean)[] {
  const words = wordsOf(name).filter((word) => word.length > 2 && !stopWords.has(word));
  const nouns = words.filter((word) => !isAction(word));
  const byConcept = nouns.map(
    (word) => (phrase: Phrase) => phrase.words.some(({ key }) => key === keyOf(word)),
  );
  const byStem = (nouns.length === 0 ? words : []).map(
    (word) => (phrase: Phrase) => phrase.words.some(({ text }) => stem(text) === stem(word)),
  );
  return [...byConcept, ...byStem];
}

/** The booleans that the phrase switches on. A regular expression among the marks counts as the word. */
export function switchedOn(phrase: Phrase, slots: readonly Slot[]): Readonly<Record<string, true>> {
  const on = slots.filter(
    (slot) =>
      slot.kind === "boolean" &&
      (isTrial(slot)
        ? triesOnly(phrase)
        : cuesOf(slot).some((cue) => cue(phrase)) ||
          (/regex/i.test(slot.name) && phrase.marks.some(({ kind }) => kind === "regex"))),
  );
  return Object.fromEntries(on.map(({ name }) => [name, true as const]));
}
