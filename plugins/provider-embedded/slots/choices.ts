import type { Phrase } from "../phrase/phrase.ts";
import type { Slot } from "./slot.ts";

const listed = (text: string): readonly string[] =>
  text
    .split(/\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/i)
    .map((each) => each.trim())
    .filter((each) => each !== "" && each.length < 40);

/** The choices of `between a, b and c`, or of `a or b?` after a colon. */
export function offeredChoices({ text }: Phrase): readonly string[] {
  const match = /\b(?:between|among|one of)\s+([^.?!]+)/i.exec(text) ?? /:\s*([\w -]+(?:,\s*[\w -]+)*,?\s+or\s+[\w -]+)\?*$/i.exec(text);
  const found = listed(match?.[1] ?? "");
  return found.length > 1 ? found : [];
}

/** Enumerations: the values that stand in the phrase as a word. */
export function namedChoices(phrase: Phrase, slots: readonly Slot[]): Readonly<Record<string, string>> {
  const text = ` ${phrase.text.toLowerCase().replaceAll(/[^\w-]+/g, " ")} `;
  return Object.fromEntries(
    slots.flatMap(({ name, kind, schema }) => {
      if (kind !== "choice") return [];
      const value = schema.enum?.find((each) => typeof each === "string" && text.includes(` ${each.toLowerCase()} `));
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );
}
