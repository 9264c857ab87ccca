import type { Json } from "@pergola/sdk";
import type { Mark } from "../marks/mark.ts";
import { globOf } from "./glob.ts";
import type { Slot, SlotKind } from "./slot.ts";

const conversions: Readonly<Partial<Record<SlotKind, (mark: Mark, slot: Slot) => Json>>> = {
  number: ({ value }) => value,
  glob: (mark) => globOf(mark) ?? mark.value,
  date: ({ value }, { schema }) => (schema.format === "date" ? String(value).slice(0, 10) : value),
};

/** True for a text that narrows a search to some files. */
const isFilePattern = ({ kind, name }: Slot): boolean =>
  (kind === "text" || kind === "glob") && /^include|glob/i.test(name);

/** A mark as the value of a slot. */
export function valueOf(mark: Mark, slot: Slot): Json {
  if (isFilePattern(slot)) return mark.kind === "extension" ? `**/*${String(mark.value)}` : mark.value;
  return conversions[slot.kind]?.(mark, slot) ?? String(mark.value);
}
