import type ICAL from "ical.js";
import { stampLineLike, stampText, type Stamp } from "../time/stamp.ts";
import type { Moment } from "../time/user-zone.ts";
import { day } from "../time/zone.ts";
import { replaceBlocks } from "./blocks.ts";
import { editLines, type LineChanges } from "./edit-lines.ts";
import { fileZones } from "./file-zones.ts";
import { itemsOf, parseBlock } from "./items.ts";
import { readStamp, readStamps, tzidOf, type Reading } from "./read-stamp.ts";
import { repeatsOf } from "./repeat.ts";
import { nowLine } from "./write-component.ts";

export interface Completion {
  readonly text: string;
  /** When a repeating reminder is due next; undefined if this was its last time. */
  readonly next: Stamp | undefined;
}

/** How many days ahead to look for the next occurrence. A leap day may be eight years away. */
const spans = [40, 400, 3000];

/** The next local start of the series. A rule that cannot be followed has none. */
async function nextAfter(
  component: ICAL.Component,
  start: Stamp,
  reading: Reading,
): Promise<number | undefined> {
  const excluded = new Set(readStamps(component, "exdate", reading).map(stampText));
  const isNext = (local: number): boolean =>
    local > start.local && !excluded.has(stampText({ ...start, local }));
  for (const span of spans) {
    const locals = await repeatsOf(component, start, start.local, start.local + span * day).catch(() => []);
    const next = locals.find(isNext);
    if (next !== undefined) return next;
  }
  return undefined;
}

const completedLines = (now: number): LineChanges => ({
  STATUS: "STATUS:COMPLETED",
  COMPLETED: nowLine("COMPLETED", now),
  "PERCENT-COMPLETE": "PERCENT-COMPLETE:100",
});

/** Moves the dates of a series on to its next occurrence. Returns undefined after the last one. */
async function moveToNext(component: ICAL.Component, reading: Reading) {
  const due = readStamp(component, "due", reading);
  const start = readStamp(component, "dtstart", reading) ?? due;
  const rule = String(component.getFirstPropertyValue("rrule") ?? "");
  const count = /COUNT=(\d+)/.exec(rule)?.[1];
  if (start === undefined || rule === "" || Number(count) <= 1) return undefined;
  const local = await nextAfter(component, start, reading);
  if (local === undefined) return undefined;
  const move = (stamp: Stamp): Stamp => ({ ...stamp, local: stamp.local + local - start.local });
  const lines: Record<string, string> = {};
  for (const name of ["DTSTART", "DUE"]) {
    const stamp = readStamp(component, name.toLowerCase(), reading);
    if (stamp) lines[name] = stampLineLike(name, move(stamp), tzidOf(component, name.toLowerCase()));
  }
  if (count) lines["RRULE"] = `RRULE:${rule.replace(/COUNT=\d+/, `COUNT=${Number(count) - 1}`)}`;
  return { lines, due: move(due ?? start) };
}

/**
 * Marks a reminder as completed, or moves a repeating one on to its next occurrence. Returns undefined if the
 * text has none with that UID.
 */
export async function withCompletion(
  text: string,
  uid: string,
  { user, now }: Moment,
): Promise<Completion | undefined> {
  const [block] = itemsOf(text, "VTODO").find((one) => one.uid === uid)?.blocks ?? [];
  if (block === undefined) return undefined;
  const reading = { zones: await fileZones(text), user };
  const next = await moveToNext(await parseBlock(block), reading);
  const lines = {
    ...(next?.lines ?? completedLines(now)),
    "LAST-MODIFIED": nowLine("LAST-MODIFIED", now),
  };
  return { text: replaceBlocks(text, [block], editLines(block.text, lines)), next: next?.due };
}
