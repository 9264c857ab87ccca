import type { ToolContext } from "@pergola/sdk";
import { mayTouch } from "../ics/may-touch.ts";
import { occurrencesOf, type Occurrence, type Range } from "../ics/occurrences.ts";
import { instantOf } from "../time/stamp.ts";
import type { Zone } from "../time/zone.ts";
import type { Shown } from "../text/event-entry.ts";
import type { Calendar, CalendarStore } from "./calendar-store.ts";
import { eachItem } from "./each-item.ts";

export interface Events {
  /** By start. */
  readonly shown: readonly Shown[];
  /** Events that could not be read, or whose repetition could not be followed. */
  readonly unreadable: number;
  /** There are more than the limit. */
  readonly more: boolean;
}

const limit = 2000;

/** The events of calendars in a range that `accept` lets pass, at most 2,000. */
export async function collectEvents(
  context: Pick<ToolContext, "signal">,
  store: CalendarStore,
  calendars: readonly Calendar[],
  {
    range,
    zone,
    accept = () => true,
  }: { readonly range: Range; readonly zone: Zone; readonly accept?: (one: Occurrence) => boolean },
): Promise<Events> {
  const shown: Shown[] = [];
  let unreadable = 0;
  for await (const { calendar, item, reading } of eachItem(context, store, calendars, {
    kind: "VEVENT",
    range,
    zone,
  })) {
    if (!mayTouch(item, range)) continue;
    const found = await occurrencesOf(item, range, reading).catch(() => undefined);
    if (found === undefined) unreadable += 1;
    for (const occurrence of (found ?? []).filter(accept))
      shown.push({ occurrence, uid: item.uid, calendar: calendar.name });
  }
  const sorted = shown.toSorted((a, b) => instantOf(a.occurrence.start) - instantOf(b.occurrence.start));
  return { shown: sorted.slice(0, limit), unreadable, more: sorted.length > limit };
}
