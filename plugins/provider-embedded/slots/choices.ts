import { actionsOf, isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { courtesyLength } from "../language/politeness.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "../router/catalogue.ts";
import type { Slot } from "./slot.ts";

const listed = (text: string): readonly string[] =>
  text
    .split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/i)
    .map((each) => each.trim())
    .filter((each) => each !== "" && each.length < 40);

/** The choices of `between a, b and c`, or of `a or b?` after a colon. */
export function offeredChoices({ text }: Phrase): readonly string[] {
  const match =
    /\b(?:between|among|one of)\s+([^.?!]+)/i.exec(text) ??
    /:\s*([\w -]+(?:,\s*[\w -]+)*,?\s+or\s+[\w -]+)\?*$/i.exec(text);
  const found = listed(match?.[1] ?? "");
  return found.length > 1 ? found : [];
}

/** Concepts so wide that a word of theirs is no choice. */
export const wide: ReadonlySet<string> = new Set(["file", "code", "content", "show"]);

/**
 * A value's own word, or one that means the same. What is an action besides must have been chosen in an
 * example.
 */
function isSaid(value: string, phrase: Phrase, { name, schema }: Slot, { examples }: Route): boolean {
  const key = keyOf(value.toLowerCase());
  const isShown = schema.default === value || examples.some(({ arguments: args }) => args[name] === value);
  if (isAction(value) && !isShown) return false;
  const text = ` ${phrase.text.toLowerCase().replaceAll(/[^\w-]+/g, " ")} `;
  const isEnding = phrase.marks.some(
    (mark) =>
      (mark.kind === "path" || mark.kind === "extension") &&
      String(mark.value).toLowerCase().endsWith(`.${value}`),
  );
  const leads = phrase.words
    .filter(({ start }) => start >= courtesyLength(phrase.text))
    .slice(0, isAction(value) ? 1 : undefined);
  return (
    isEnding ||
    text.includes(` ${value.toLowerCase()} `) ||
    (!wide.has(key) &&
      leads.some((word) => word.key === key || (isAction(value) && actionsOf(word.text).includes(key))))
  );
}

/** Enumerations: the values that stand in the phrase as a word, or as the ending of a file's name. */
export function namedChoices(phrase: Phrase, route: Route): Readonly<Record<string, string>> {
  return Object.fromEntries(
    route.slots.flatMap((slot) => {
      if (slot.kind !== "choice") return [];
      const value = slot.schema.enum?.find(
        (each) => typeof each === "string" && isSaid(each, phrase, slot, route),
      );
      return typeof value === "string" ? [[slot.name, value] as const] : [];
    }),
  );
}
