import { day } from "../time/zone.ts";
import type { Item } from "./items.ts";
import type { Range } from "./occurrences.ts";

function dateOf(text: string, name: string): number | undefined {
  const line = new RegExp(`^${name}(?:;[^:\\r\\n]*)?:(\\d{4})(\\d\\d)(\\d\\d)`, "im");
  const [, year, month, date] = line.exec(text) ?? [];
  if (year === undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(date));
}

const repeatsOrVaries = /^(RRULE|RDATE|DURATION|RECURRENCE-ID)[:;]/im;

/**
 * A cheap check that saves parsing: false if the dates of a single event lie outside the range in every time
 * zone.
 */
export function mayTouch({ blocks }: Item, { from, to }: Range): boolean {
  const [block, ...others] = blocks;
  if (block === undefined || others.length > 0 || repeatsOrVaries.test(block.text)) return true;
  const start = dateOf(block.text, "DTSTART");
  if (start === undefined) return true;
  const end = dateOf(block.text, "DTEND") ?? start;
  return start <= to + 2 * day && end >= from - 2 * day;
}
