import type ICAL from "ical.js";
import { basicTime, instantOf, stampText, type Stamp } from "../time/stamp.ts";
import { day } from "../time/zone.ts";
import { parseBlock, type Item } from "./items.ts";
import { readStamp, readStamps, type Reading } from "./read-stamp.ts";
import { repeatsOf } from "./repeat.ts";

/** Instants in milliseconds; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** One time an event takes place. */
export interface Occurrence {
  readonly component: ICAL.Component;
  readonly start: Stamp;
  readonly end: Stamp;
  /** Its original start in the series, as in `20260704T120000Z`; undefined for a single event. */
  readonly recurrence: string | undefined;
}

/** How long an event without DTEND lasts, in milliseconds (RFC 5545, section 3.6.1). */
function durationOf(component: ICAL.Component, { isDate }: Stamp): number {
  const duration = component.getFirstPropertyValue("duration") as ICAL.Duration | null;
  if (duration !== null) return duration.toSeconds() * 1000;
  if (isDate) return day;
  return 0;
}

function endOf(component: ICAL.Component, start: Stamp, reading: Reading): Stamp {
  const end = readStamp(component, "dtend", reading);
  return end ?? { ...start, local: start.local + durationOf(component, start) };
}

const touches = ({ start, end }: Occurrence, { from, to }: Range): boolean => {
  const begin = instantOf(start);
  const finish = instantOf(end);
  return begin < to && (finish > from || (finish <= begin && begin >= from));
};

/** Every member of a series lasts as long as the first: dates by the calendar, times by the clock. */
function endLike(start: Stamp, first: Stamp, firstEnd: Stamp): Stamp {
  if (start.isDate) return { ...start, local: start.local + firstEnd.local - first.local };
  const end = instantOf(start) + instantOf(firstEnd) - instantOf(first);
  return { ...start, local: start.zone.toLocal(end) };
}

/** The local starts of a series around a range, without regard to EXDATE. */
async function startsOf(
  master: ICAL.Component,
  { start, end }: Pick<Occurrence, "start" | "end">,
  range: Range,
  reading: Reading,
): Promise<ReadonlySet<number>> {
  const { zone } = start;
  const length = Math.max(0, instantOf(end) - instantOf(start));
  const from = zone.toLocal(range.from) - length - day;
  const to = zone.toLocal(range.to) + day;
  const dates = readStamps(master, "rdate", reading).map((stamp) => zone.toLocal(instantOf(stamp)));
  return new Set([start.local, ...dates, ...(await repeatsOf(master, start, from, to))]);
}

/** The occurrences of a series around a range, without the excluded and the changed ones. */
async function seriesOf(
  master: ICAL.Component,
  changed: ReadonlySet<string>,
  range: Range,
  reading: Reading,
): Promise<readonly Occurrence[]> {
  const start = readStamp(master, "dtstart", reading);
  if (start === undefined) return [];
  const end = endOf(master, start, reading);
  const isSeries = master.hasProperty("rrule") || master.hasProperty("rdate");
  if (!isSeries) return [{ component: master, start, end, recurrence: undefined }];
  const excluded = new Set(readStamps(master, "exdate", reading).map(stampText));
  const occurrences: Occurrence[] = [];
  for (const local of await startsOf(master, { start, end }, range, reading)) {
    const begin = { ...start, local };
    const recurrence = stampText(begin);
    const wholeDay = basicTime(local).slice(0, 8);
    if (changed.has(recurrence) || excluded.has(recurrence) || excluded.has(wholeDay)) continue;
    occurrences.push({ component: master, start: begin, end: endLike(begin, start, end), recurrence });
  }
  return occurrences;
}

/** An occurrence that differs from its series; undefined for other components. */
function changeOf(component: ICAL.Component, reading: Reading): Occurrence | undefined {
  const start = readStamp(component, "dtstart", reading);
  const original = readStamp(component, "recurrence-id", reading);
  if (start === undefined || original === undefined) return undefined;
  return { component, start, end: endOf(component, start, reading), recurrence: stampText(original) };
}

/**
 * The occurrences of an event that touch a range, with changed ones and without excluded ones. Throws if the
 * event cannot be read or its rule cannot be followed.
 */
export async function occurrencesOf(
  item: Item,
  range: Range,
  reading: Reading,
): Promise<readonly Occurrence[]> {
  const components = await Promise.all(item.blocks.map(parseBlock));
  const masters = components.filter((component) => !component.hasProperty("recurrence-id"));
  const changes = components
    .map((component) => changeOf(component, reading))
    .filter((change) => change !== undefined);
  const changed = new Set(changes.map(({ recurrence = "" }) => recurrence));
  const series = await Promise.all(masters.map((master) => seriesOf(master, changed, range, reading)));
  return [...series.flat(), ...changes].filter((occurrence) => touches(occurrence, range));
}
