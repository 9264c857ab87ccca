import type ICAL from "ical.js";
import { stampLineLike, stampText, type Stamp } from "../time/stamp.ts";
import { day, type Zone } from "../time/zone.ts";
import { replaceBlocks } from "./blocks.ts";
import { editLines, type LineChanges } from "./edit-lines.ts";
import { fileZones } from "./file-zones.ts";
import { itemsOf, parseBlock } from "./items.ts";
import { readStamp, readStamps, type Reading } from "./read-stamp.ts";
import { repeatsOf } from "./repeat.ts";
import { nowLine } from "./write-component.ts";

export interface Completion {
  readonly text: string;
  /** When a repeating reminder is due next; undefined when it is done for good. */
  readonly next: Stamp | undefined;
}

/**
 * How far ahead the next time is looked for, in days, the nearest first: a leap day may be eight years away.
 */
const spans = [40, 400, 3000];

/** The first time of the series after a start. A rule that can not be followed has none. */
async function nextAfter(
  component: ICAL.Component,
  start: Stamp,
  reading: Reading,
): Promise<number | undefined> {
  const without = new Set(readStamps(component, "exdate", reading).map(stampText));
  for (const span of spans) {
    const locals = await repeatsOf(component, start, start.local, start.local + span * day).catch(() => []);
    const next = locals.find((local) => local > start.local && !without.has(stampText({ ...start, local })));
    if (next !== undefined) return next;
  }
  return undefined;
}

const doneLines = (now: number): LineChanges => ({
  STATUS: "STATUS:COMPLETED",
  COMPLETED: nowLine("COMPLETED", now),
  "PERCENT-COMPLETE": "PERCENT-COMPLETE:100",
  "LAST-MODIFIED": nowLine("LAST-MODIFIED", now),
});

/** The dates and the rule of a series, moved on by one; undefined after its last time. */
async function nextLines(
  component: ICAL.Component,
  reading: Reading,
): Promise<{ readonly lines: LineChanges; readonly next: Stamp } | undefined> {
  const due = readStamp(component, "due", reading);
  const start = readStamp(component, "dtstart", reading) ?? due;
  const rule = component.getFirstPropertyValue("rrule");
  const count = /COUNT=(\d+)/.exec(String(rule))?.[1];
  if (start === undefined || rule === null || Number(count) <= 1) return undefined;
  const local = await nextAfter(component, start, reading);
  if (local === undefined) return undefined;
  const moved = (stamp: Stamp): Stamp => ({ ...stamp, local: stamp.local + local - start.local });
  const lineOf = (name: "DTSTART" | "DUE"): LineChanges => {
    const property = component.getFirstProperty(name.toLowerCase());
    const stamp = property && readStamp(component, name.toLowerCase(), reading);
    const tzid = property?.getParameter("tzid");
    return stamp
      ? { [name]: stampLineLike(name, moved(stamp), typeof tzid === "string" ? tzid : undefined) }
      : {};
  };
  const counted =
    count === undefined
      ? {}
      : { RRULE: `RRULE:${String(rule).replace(/COUNT=\d+/, `COUNT=${Number(count) - 1}`)}` };
  return { lines: { ...lineOf("DTSTART"), ...lineOf("DUE"), ...counted }, next: moved(due ?? start) };
}

/**
 * The text with a reminder marked done; a repeating one is moved to its next time instead. undefined when
 * there is none with that UID.
 */
export async function withCompletion(
  text: string,
  uid: string,
  { user, now }: { readonly user: Zone; readonly now: number },
): Promise<Completion | undefined> {
  const [block] = itemsOf(text, "VTODO").find((one) => one.uid === uid)?.blocks ?? [];
  if (block === undefined) return undefined;
  const reading = { zones: await fileZones(text), user };
  const next = await nextLines(await parseBlock(block), reading);
  const lines =
    next === undefined ? doneLines(now) : { ...next.lines, "LAST-MODIFIED": nowLine("LAST-MODIFIED", now) };
  return { text: replaceBlocks(text, [block], editLines(block.text, lines)), next: next?.next };
}
