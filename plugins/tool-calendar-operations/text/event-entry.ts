import type { Occurrence } from "../ics/occurrences.ts";
import { showDate, showTime } from "../time/show-time.ts";
import { instantOf, type Stamp } from "../time/stamp.ts";
import { day, type Zone } from "../time/zone.ts";
import { entry, shortened, textOf } from "./entry.ts";

export interface Shown {
  readonly occurrence: Occurrence;
  readonly uid: string;
  readonly calendar: string;
}

const show = (stamp: Stamp, zone: Zone): string =>
  stamp.isDate ? `${showDate(stamp.local)}, all day` : showTime(instantOf(stamp), zone);

/** The end of whole days is the last of them; in a file it is the day after. */
const lastDay = ({ start, end }: Occurrence): Stamp => ({
  ...end,
  local: Math.max(start.local, end.local - day),
});

/** One event in Markdown, on the person's clocks. */
export function eventEntry({ occurrence, uid, calendar }: Shown, zone: Zone): string {
  const { component, start, end, recurrence } = occurrence;
  return entry(textOf(component, "summary"), {
    Start: show(start, zone),
    End: show(start.isDate ? lastDay(occurrence) : end, zone),
    Location: textOf(component, "location"),
    Calendar: calendar,
    Status: textOf(component, "status") === "CANCELLED" ? "cancelled" : undefined,
    Notes: shortened(textOf(component, "description")),
    ID: recurrence === undefined ? uid : `${uid}#${recurrence}`,
  });
}
