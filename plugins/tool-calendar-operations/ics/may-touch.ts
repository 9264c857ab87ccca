import { day } from "../time/zone.ts";
import type { Item } from "./items.ts";
import type { Range } from "./occurrences.ts";

const dateOf = (text: string, name: string): number | undefined => {
  const [, year, month, date] =
    new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(\\d{4})(\\d\\d)(\\d\\d)`, "im").exec(text) ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(date));
};

/**
 * False when a look at its dates shows that a single event lies outside a range, in whatever zone: it need
 * not be read any further.
 */
export function mayTouch({ blocks }: Item, { from, to }: Range): boolean {
  const [{ text } = { text: "" }, ...others] = blocks;
  const isSingle = others.length === 0 && !/^(RRULE|RDATE|DURATION|RECURRENCE-ID)[:;]/im.test(text);
  const start = isSingle ? dateOf(text, "DTSTART") : undefined;
  if (start === undefined) return true;
  return start <= to + 2 * day && (dateOf(text, "DTEND") ?? start) >= from - 2 * day;
}
