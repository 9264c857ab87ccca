import type { Json } from "@pergola/sdk";
import type { Mark } from "../marks/mark.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Slot } from "./slot.ts";

const link = /^[\s,"'`]*(?:to|with|by|into|for|->|=>|becomes)[\s"'`]*$/i;
const reversed = /^[\s,"'`]*instead of[\s"'`]*$/i;

/**
 * Pairs of texts, as in `"a" with "b" and "c" with "d"`, as records of the two texts that the slot asks for.
 * Empty unless all pair up.
 */
export function pairRecords(
  phrase: Phrase,
  slot: Slot,
): { readonly records: readonly Json[]; readonly marks: readonly Mark[] } {
  const [from, to] = ["source", "target"].map(
    (role) => slot.items.find((item) => item.kind === "text" && item.role === role)?.name,
  );
  const texts = phrase.marks.filter(({ kind }) => kind === "text");
  if (from === undefined || to === undefined || texts.length < 2 || texts.length % 2 === 1)
    return { records: [], marks: [] };
  const records: Json[] = [];
  for (let index = 0; index < texts.length; index += 2) {
    const [a, b] = [texts[index] as Mark, texts[index + 1] as Mark];
    const between = phrase.text.slice(a.end, b.start);
    if (!link.test(between) && !reversed.test(between)) return { records: [], marks: [] };
    records.push(
      reversed.test(between) ? { [from]: b.value, [to]: a.value } : { [from]: a.value, [to]: b.value },
    );
  }
  return { records, marks: texts };
}
