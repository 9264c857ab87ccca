import type { ToolContext } from "@pergola/sdk";
import { mayTouch } from "../ics/may-touch.ts";
import { occurrencesOf, type Occurrence, type Range } from "../ics/occurrences.ts";
import type { EventAt } from "../text/event-entry.ts";
import { instantOf } from "../time/stamp.ts";
import type { Zone } from "../time/zone.ts";
import type { Calendar, CalendarStore } from "./calendar-store.ts";
import { eachItem } from "./each-item.ts";

interface EventQuery {
  readonly range: Range;
  readonly zone: Zone;
  readonly accept: (occurrence: Occurrence) => boolean;
}

const limit = 2000;

/**
 * The events of calendars in a range that `accept` lets pass: at most 2,000, sorted by start. `unreadable`
 * counts those that could not be read, or have a rule that could not be followed.
 */
export async function collectEvents(
  context: Pick<ToolContext, "signal">,
  store: CalendarStore,
  calendars: readonly Calendar[],
  { range, zone, accept }: EventQuery,
) {
  const query = { kind: "VEVENT", range, zone } as const;
  const events: EventAt[] = [];
  let unreadable = 0;
  for await (const { calendar, item, reading } of eachItem(context, store, calendars, query)) {
    if (!mayTouch(item, range)) continue;
    const occurrences = await occurrencesOf(item, range, reading).catch(() => undefined);
    if (occurrences === undefined) unreadable += 1;
    for (const occurrence of occurrences?.filter(accept) ?? [])
      events.push({ occurrence, uid: item.uid, calendar: calendar.name });
  }
  events.sort((a, b) => instantOf(a.occurrence.start) - instantOf(b.occurrence.start));
  return { events: events.slice(0, limit), unreadable, hasMore: events.length > limit };
}
