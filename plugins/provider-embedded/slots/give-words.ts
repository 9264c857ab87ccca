import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "../router/catalogue.ts";
import { cuesOf, type Draft, freeMarks } from "./draft.ts";
import { cuedWords, freeWords, reasonIn } from "./free-words.ts";
import type { Slot } from "./slot.ts";

/** `name=value` and `name: value` with a parameter's own name. */
export function giveNamed(draft: Draft, phrase: Phrase, { slots }: Route): void {
  for (const { name, kind } of slots) {
    const match = new RegExp(`\\b${name}\\s*[=:]\\s*("([^"]*)"|'([^']*)'|\\S+)`).exec(phrase.text);
    if (match === null) continue;
    const text = match[2] ?? match[3] ?? match[1] ?? "";
    draft.values[name] = kind === "number" ? Number(text) : kind === "boolean" ? text === "true" : text;
    draft.taken.push(...phrase.marks.filter(({ start, end }) => start >= match.index && end <= match.index + match[0].length));
  }
}

/** The words for a required slot: the reason for a reason, else what the cues or the sentence leave. A symbol is one word. */
function wordsFor(slot: Slot, draft: Draft, phrase: Phrase, route: Route): string {
  if (slot.role === "reason") return reasonIn(phrase);
  const isWordy = slot.kind === "text" || (!route.careful && (slot.kind === "symbol" || slot.kind === "other"));
  if (!isWordy) return "";
  const words = freeWords(phrase, slot, cuesOf(route), draft.taken, new Set([...route.nameKeys, ...route.actions]));
  return slot.kind === "symbol" && /\s/.test(words) ? "" : words;
}

/** Required texts that no mark filled are taken from bare words. */
export function giveWords(draft: Draft, phrase: Phrase, route: Route): void {
  for (const slot of route.slots.filter(({ name, required }) => required && !(name in draft.values))) {
    const words = wordsFor(slot, draft, phrase, route);
    if (words === "") continue;
    draft.values[slot.name] = words;
    const inside = freeMarks(draft, phrase.marks).filter(
      ({ start, end }) => slot.role !== "content" && words.includes(phrase.text.slice(start, end)),
    );
    draft.taken.push(...inside);
    if (slot.role !== "reason") draft.loose.push(slot.name);
  }
}

/** Optional texts are taken from bare words only where an example shows it, and only to look something up. */
export function giveOptionalWords(draft: Draft, phrase: Phrase, route: Route): void {
  if (route.careful) return;
  for (const slot of route.slots.filter(({ name, required, kind }) => !required && kind === "text" && !(name in draft.values))) {
    const words = cuedWords(phrase, slot, cuesOf(route), draft.taken);
    if (words !== "") draft.values[slot.name] = words;
  }
}
