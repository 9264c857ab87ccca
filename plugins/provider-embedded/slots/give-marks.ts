import type { Mark } from "../marks/mark.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "../router/catalogue.ts";
import { offeredChoices } from "./choices.ts";
import { cuesOf, type Draft, freeMarks } from "./draft.ts";
import { fitOf } from "./fit.ts";
import { mayBe } from "./may-be.ts";
import { pairRecords } from "./records.ts";
import type { Slot } from "./slot.ts";
import { valueOf } from "./value-of.ts";

/** Below this a mark is not given to a slot at all. */
const leastFit = 0.3;

const isSingle = ({ kind }: Slot): boolean => kind !== "list" && kind !== "records";

/** Gives each mark to the slot it suits best, best pairs first. */
export function giveMarks(draft: Draft, phrase: Phrase, route: Route): void {
  const cues = cuesOf(route);
  const slots = route.slots.filter((slot) => isSingle(slot) && !(slot.name in draft.values));
  const pairs = freeMarks(draft, phrase.marks).flatMap((mark) =>
    slots.map((slot) => ({ mark, slot, fit: fitOf(mark, slot, phrase, cues) + (slot.required ? 0.2 : 0) })),
  );
  for (const { mark, slot, fit } of pairs.sort((a, b) => b.fit - a.fit)) {
    if (slot.kind === "text" && !mayBe(String(mark.value), slot, route)) continue;
    if (fit < leastFit || draft.taken.includes(mark) || slot.name in draft.values) continue;
    draft.values[slot.name] = valueOf(mark, slot);
    draft.taken.push(mark);
    if (mark.loose === true) draft.loose.push(slot.name);
  }
}

const suitsList = (mark: Mark, item: Slot, phrase: Phrase, route: Route): boolean =>
  mark.kind !== "here" && fitOf(mark, item, phrase, mark.kind === "address" ? cuesOf(route) : []) > 1;

/** Lists take all marks of their kind; a list of options is read off the sentence. */
export function giveLists(draft: Draft, phrase: Phrase, route: Route): void {
  for (const slot of route.slots.filter(({ kind, name }) => kind === "list" && !(name in draft.values))) {
    const [item] = slot.items as readonly [Slot];
    const isOptions = item.kind === "text" && /option|choice/i.test(slot.name);
    const free = freeMarks(draft, phrase.marks).filter(
      ({ kind }) => item.kind !== "text" || kind === "address",
    );
    const marks = free.filter((mark) => suitsList(mark, item, phrase, route));
    const values = isOptions ? offeredChoices(phrase) : marks.map((mark) => valueOf(mark, item));
    if (values.length === 0) continue;
    draft.values[slot.name] = values;
    draft.taken.push(...marks);
  }
}

/** Pairs of texts go to the slot that takes records of two texts. */
export function giveRecords(draft: Draft, phrase: Phrase, { slots }: Route): void {
  for (const slot of slots.filter(({ kind }) => kind === "records")) {
    const { records, marks } = pairRecords(phrase, slot);
    if (records.length === 0) continue;
    draft.values[slot.name] = records;
    draft.taken.push(...marks);
  }
}
