import { countOf, type OperationResult, type ToolContext } from "@pergola/sdk";
import type { Occurrence } from "../ics/occurrences.ts";
import { calendarsNamed } from "../store/choose-calendar.ts";
import { collectEvents } from "../store/collect-events.ts";
import { openStore } from "../store/open-store.ts";
import { daysAround, type Days } from "../time/days.ts";
import { formatDate } from "../time/format-time.ts";
import { userZone } from "../time/user-zone.ts";
import { eventEntry } from "./event-entry.ts";

export interface EventSearch extends Days {
  /** The calendar to look in; without one, all. */
  readonly calendarName?: string | undefined;
  readonly accept?: (occurrence: Occurrence) => boolean;
}

/** The events around today in Markdown, and a summary of what was found, left out and unreadable. */
export async function eventsResult(
  context: ToolContext,
  { calendarName, accept = () => true, ...days }: EventSearch,
): Promise<OperationResult> {
  const store = await openStore(context);
  const zone = await userZone(context);
  const range = daysAround(context.clock.now(), zone, days);
  const calendars = await calendarsNamed(store, calendarName, "VEVENT");
  const search = { range, zone, accept };
  const { events, unreadable, hasMore } = await collectEvents(context, store, calendars, search);
  const span = `from ${formatDate(zone.toLocal(range.from))} to ${formatDate(zone.toLocal(range.to - 1))}`;
  const sentences = [`${countOf(events.length, "event")} ${span}, in the time zone ${zone.name}.`];
  if (hasMore) sentences.push("There are more: ask for fewer days or for one calendar.");
  if (unreadable > 0) sentences.push(`${countOf(unreadable, "event")} could not be read.`);
  const data = events.map((event) => eventEntry(event, zone)).join("\n\n");
  return { data: data || `No events ${span}.`, message: sentences.join(" ") };
}
