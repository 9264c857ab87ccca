import type ICAL from "ical.js";
import { stampLineLike, stampText } from "../time/stamp.ts";
import type { Zone } from "../time/zone.ts";
import { replaceBlocks, type Block } from "./blocks.ts";
import { editLines } from "./edit-lines.ts";
import { fileZones } from "./file-zones.ts";
import { itemsOf, parseBlock, type Kind } from "./items.ts";
import { occurrencesOf } from "./occurrences.ts";
import { readStamp, type Reading } from "./read-stamp.ts";
import { nowLine } from "./write-component.ts";

/** The text without an event or reminder; undefined when it holds none with that UID. */
export function withoutItem(text: string, uid: string, kind: Kind): string | undefined {
  const item = itemsOf(text, kind).find((one) => one.uid === uid);
  return item && replaceBlocks(text, item.blocks);
}

/** The instant that the id of an occurrence means. */
function instantIn(recurrence: string, user: Zone): number {
  const [, year, month, date, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(recurrence) ?? [];
  const time = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(date),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  return hour === undefined ? user.toInstant(time) : time;
}

interface Parsed {
  readonly block: Block;
  readonly component: ICAL.Component;
}

/** The series with one more EXDATE, in the form of its start; undefined when it has no such start. */
function withExclusion(
  { block, component }: Parsed,
  instant: number,
  now: number,
  reading: Reading,
): string | undefined {
  const start = readStamp(component, "dtstart", reading);
  if (start === undefined) return undefined;
  const tzid = component.getFirstProperty("dtstart")?.getParameter("tzid");
  const line = stampLineLike(
    "EXDATE",
    { ...start, local: start.zone.toLocal(instant) },
    typeof tzid === "string" ? tzid : undefined,
  );
  return editLines(block.text, { "LAST-MODIFIED": nowLine("LAST-MODIFIED", now) }, [line]);
}

/** The text without one occurrence of a series; undefined when there is no such occurrence. */
export async function withoutOccurrence(
  text: string,
  uid: string,
  recurrence: string,
  { user, now }: { readonly user: Zone; readonly now: number },
): Promise<string | undefined> {
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
  return master && series
    ? replaceBlocks(text, [master.block, ...changed], series)
    : replaceBlocks(text, changed);
}
