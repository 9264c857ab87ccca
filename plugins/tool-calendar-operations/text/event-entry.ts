import { markdownEntry } from "@pergola/kit-dav";
import type { Occurrence } from "../ics/occurrences.ts";
import { formatStamp } from "../time/format-time.ts";
import type { Stamp } from "../time/stamp.ts";
import { day, type Zone } from "../time/zone.ts";
import { isCancelled, notesOf, textOf } from "./text-of.ts";

/** One occurrence of an event in a calendar. */
export interface EventAt {
  readonly occurrence: Occurrence;
  readonly uid: string;
  readonly calendar: string;
}

function format(stamp: Stamp, zone: Zone): string {
  const text = formatStamp(stamp, zone);
  if (stamp.isDate) return `${text}, all day`;
  return text;
}

/** A person counts the last whole day in; a file ends on the day after it. */
function visibleEnd({ start, end }: Occurrence): Stamp {
  if (!start.isDate) return end;
  return { ...end, local: Math.max(start.local, end.local - day) };
}

/** One event in Markdown, in the person's time zone. */
export function eventEntry({ occurrence, uid, calendar }: EventAt, zone: Zone): string {
  const { component, start, recurrence } = occurrence;
  return markdownEntry(textOf(component, "summary").trim() || "(no title)", {
    Start: format(start, zone),
    End: format(visibleEnd(occurrence), zone),
    Location: textOf(component, "location"),
    Calendar: calendar,
    Status: isCancelled(component) ? "cancelled" : undefined,
    Notes: notesOf(component),
    ID: [uid, recurrence].filter(Boolean).join("#"),
  });
}
