import type ICAL from "ical.js";
import { stampLineLike, stampText } from "../time/stamp.ts";
import type { Moment } from "../time/user-zone.ts";
import type { Zone } from "../time/zone.ts";
import { replaceBlocks, type Block } from "./blocks.ts";
import { editLines } from "./edit-lines.ts";
import { fileZones } from "./file-zones.ts";
import { itemsOf, parseBlock, type Kind } from "./items.ts";
import { occurrencesOf } from "./occurrences.ts";
import { readStamp, tzidOf, type Reading } from "./read-stamp.ts";
import { nowLine } from "./write-component.ts";

/** The text without an event or reminder. Returns undefined if it has none with that UID. */
export function withoutItem(text: string, uid: string, kind: Kind): string | undefined {
  const item = itemsOf(text, kind).find((one) => one.uid === uid);
  return item && replaceBlocks(text, item.blocks);
}

/** The instant that an occurrence's ID names: `20260704T120000Z`, or a date in the person's zone. */
function instantIn(recurrence: string, user: Zone): number {
  const [year = 0, month = 1, date, ...time] = [...recurrence.matchAll(/^\d{4}|\d\d/g)].map(Number);
  const instant = Date.UTC(year, month - 1, date, ...time);
  if (time.length > 0) return instant;
  return user.toInstant(instant);
}

interface Parsed {
  readonly block: Block;
  readonly component: ICAL.Component;
}

/** Adds an EXDATE in the form of the series' start. Returns undefined if the series has no start. */
function withExclusion(
  { block, component }: Parsed,
  instant: number,
  now: number,
  reading: Reading,
): string | undefined {
  const start = readStamp(component, "dtstart", reading);
  if (start === undefined) return undefined;
  const stamp = { ...start, local: start.zone.toLocal(instant) };
  const line = stampLineLike("EXDATE", stamp, tzidOf(component, "dtstart"));
  return editLines(block.text, { "LAST-MODIFIED": nowLine("LAST-MODIFIED", now) }, [line]);
}

/** The text without an event, or without one occurrence of it. Returns undefined if it has none. */
export async function withoutEvent(
  text: string,
  uid: string,
  recurrence: string | undefined,
  { user, now }: Moment,
): Promise<string | undefined> {
  if (recurrence === undefined) return withoutItem(text, uid, "VEVENT");
  const item = itemsOf(text, "VEVENT").find((one) => one.uid === uid);
  if (item === undefined) return undefined;
  const reading = { zones: await fileZones(text), user };
  const parsed = await Promise.all(
    item.blocks.map(async (block): Promise<Parsed> => ({ block, component: await parseBlock(block) })),
  );
  const idOf = ({ component }: Parsed): string | undefined => {
    const stamp = readStamp(component, "recurrence-id", reading);
    return stamp && stampText(stamp);
  };
  const changed = parsed.filter((one) => idOf(one) === recurrence).map(({ block }) => block);
  const instant = instantIn(recurrence, user);
  const near = await occurrencesOf(item, { from: instant - 1, to: instant + 1 }, reading);
  if (changed.length === 0 && !near.some((one) => one.recurrence === recurrence)) return undefined;
  const master = parsed.find((one) => idOf(one) === undefined);
  const series = master && withExclusion(master, instant, now, reading);
  if (master === undefined || series === undefined) return replaceBlocks(text, changed);
  return replaceBlocks(text, [master.block, ...changed], series);
}
