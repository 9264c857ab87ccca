import type { Json } from "@pergola/sdk";
import { escaped } from "../language/escaped.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "../router/catalogue.ts";
import { cuesOf, type Draft, freeMarks } from "./draft.ts";
import { cuedWords, freeWords, reasonIn } from "./free-words.ts";
import { mayBe } from "./may-be.ts";
import type { Slot } from "./slot.ts";

/**
 * What `name=value` or `name: value` with a parameter's own name gives. A bare text ends at the blank only
 * after an equals sign.
 */
function namedValue(
  { name, kind }: Slot,
  text: string,
): { readonly match: RegExpExecArray; readonly value: Json } | undefined {
  const bare = kind === "text" ? String.raw`(?<=\w=)\S+` : String.raw`\S+`;
  const match = new RegExp(String.raw`\b${escaped(name)}\s*[=:]\s*("([^"]*)"|'([^']*)'|${bare})`).exec(text);
  if (match === null) return undefined;
  const value = match[2] ?? match[3] ?? match[1] ?? "";
  return { match, value: kind === "number" ? Number(value) : kind === "boolean" ? value === "true" : value };
}

/** Arguments that the phrase gives by the parameter's own name. */
export function giveNamed(draft: Draft, phrase: Phrase, { slots }: Route): void {
  for (const slot of slots) {
    const found = namedValue(slot, phrase.text);
    if (found === undefined) continue;
    const { match, value } = found;
    draft.values[slot.name] = value;
    draft.taken.push(
      ...phrase.marks.filter(
        ({ start, end }) => start >= match.index && end <= match.index + match[0].length,
      ),
    );
  }
}

/**
 * The words for a required slot: the reason for a reason, else what the cues or the sentence leave. A symbol
 * is one word.
 */
function wordsFor(slot: Slot, draft: Draft, phrase: Phrase, route: Route): string {
  if (slot.role === "reason") return reasonIn(phrase);
  const isWordy =
    slot.kind === "text" || (!route.careful && (slot.kind === "symbol" || slot.kind === "other"));
  if (!isWordy) return "";
  const words = freeWords(
    phrase,
    slot,
    cuesOf(route),
    draft.taken,
    new Set([...route.nameKeys, ...route.actions]),
  );
  return slot.kind === "symbol" && /\s/.test(words) ? "" : words;
}

/** Required texts that no mark filled are taken from bare words. */
export function giveWords(draft: Draft, phrase: Phrase, route: Route): void {
  for (const slot of route.slots.filter(({ name, required }) => required && !(name in draft.values))) {
    const words = wordsFor(slot, draft, phrase, route);
    if (words === "" || !mayBe(words, slot, route, true)) continue;
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
  const framed = new Set(
    route.frames.flatMap(({ parts }) =>
      parts.flatMap((part) => (typeof part === "string" ? [] : [part.path[0]])),
    ),
  );
  for (const slot of route.slots.filter(
    ({ name, required, kind }) =>
      !required && kind === "text" && !framed.has(name) && !(name in draft.values),
  )) {
    const words = cuedWords(phrase, slot, cuesOf(route), draft.taken);
    if (words !== "") draft.values[slot.name] = words;
  }
}
