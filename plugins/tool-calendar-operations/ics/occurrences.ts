import type ICAL from "ical.js";
import { instantOf, stampText, type Stamp } from "../time/stamp.ts";
import { day } from "../time/zone.ts";
import { parseBlock, type Item } from "./items.ts";
import { readStamp, readStamps, type Reading } from "./read-stamp.ts";
import { repeatsOf } from "./repeat.ts";

/** Instants, in milliseconds; the end is not part of it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** One time that an event takes place. */
export interface Occurrence {
  readonly component: ICAL.Component;
  readonly start: Stamp;
  readonly end: Stamp;
  /** Which one of a series it is, as in `20260704T120000Z`; undefined for a single event. */
  readonly recurrence: string | undefined;
}

/**
 * A single event lasts as DTEND or DURATION say; without either a date lasts its day, a time no time (RFC
 * 5545, 3.6.1).
 */
function endOf(component: ICAL.Component, start: Stamp, reading: Reading): Stamp {
  const end = readStamp(component, "dtend", reading);
  if (end !== undefined) return end;
  const duration = component.getFirstPropertyValue("duration") as ICAL.Duration | null;
  const length = duration === null ? (start.isDate ? day : 0) : duration.toSeconds() * 1000;
  return { ...start, local: start.local + length };
}

const touches = ({ start, end }: Occurrence, { from, to }: Range): boolean => {
  const [begin, finish] = [instantOf(start), instantOf(end)];
  return begin < to && (finish > from || (finish <= begin && begin >= from));
};

/** Every member of a series lasts as long as the first: dates by the calendar, times by the clock. */
function endLike(start: Stamp, first: Stamp, firstEnd: Stamp): Stamp {
  if (start.isDate) return { ...start, local: start.local + firstEnd.local - first.local };
  const end = instantOf(start) + instantOf(firstEnd) - instantOf(first);
  return { ...start, local: start.zone.toLocal(end) };
}

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
  const length = Math.max(0, instantOf(end) - instantOf(start));
  const [from, to] = [start.zone.toLocal(range.from) - length - day, start.zone.toLocal(range.to) + day];
  const without = new Set(readStamps(master, "exdate", reading).map(stampText));
  const dates = readStamps(master, "rdate", reading).map((stamp) => start.zone.toLocal(instantOf(stamp)));
  const locals = new Set([start.local, ...dates, ...(await repeatsOf(master, start, from, to))]);
  const all = [...locals].map((local): Occurrence => {
    const begin = { ...start, local };
    return { component: master, start: begin, end: endLike(begin, start, end), recurrence: stampText(begin) };
  });
  return all.filter(({ start: { local }, recurrence = "" }) => {
    const wholeDay = new Date(local).toISOString().slice(0, 10).replaceAll("-", "");
    return ![recurrence, wholeDay].some((text) => without.has(text)) && !changed.has(recurrence);
  });
}

function changedOf(component: ICAL.Component, reading: Reading): Occurrence | undefined {
  const start = readStamp(component, "dtstart", reading);
  const recurrence = readStamp(component, "recurrence-id", reading);
  return (
    start &&
    recurrence && {
      component,
      start,
      end: endOf(component, start, reading),
      recurrence: stampText(recurrence),
    }
  );
}

/**
 * When an event takes place in a range, changed and excluded occurrences considered. Throws for what cannot
 * be read or followed.
 */
export async function occurrencesOf(
  item: Item,
  range: Range,
  reading: Reading,
): Promise<readonly Occurrence[]> {
  const components = await Promise.all(item.blocks.map(parseBlock));
  const [masters, others] = [false, true].map((isChange) =>
    components.filter((one) => one.hasProperty("recurrence-id") === isChange),
  );
  const changes = (others ?? []).map((one) => changedOf(one, reading)).filter((one) => one !== undefined);
  const changed = new Set(changes.map(({ recurrence = "" }) => recurrence));
  const series = await Promise.all(
    (masters ?? []).map((master) => seriesOf(master, changed, range, reading)),
  );
  return [...series.flat(), ...changes].filter((one) => touches(one, range));
}
