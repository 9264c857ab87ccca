import { setImmediate } from "node:timers/promises";
import type { ToolContext } from "@pergola/sdk";
import { fileZones } from "../ics/file-zones.ts";
import { itemsOf } from "../ics/items.ts";
import type { Zone } from "../time/zone.ts";
import type { Calendar, CalendarQuery, CalendarStore } from "./calendar-store.ts";

interface ZonedQuery extends CalendarQuery {
  readonly zone: Zone;
}

async function* itemsIn(
  store: CalendarStore,
  calendars: readonly Calendar[],
  { zone, ...query }: ZonedQuery,
) {
  for (const calendar of calendars) {
    for (const { text } of await store.texts(calendar, query)) {
      const reading = { zones: await fileZones(text), user: zone };
      yield* itemsOf(text, query.kind).map((item) => ({ calendar, item, reading }));
    }
  }
}

/**
 * The events or reminders of calendars, one after the other. Lets the event loop run now and then, and throws
 * once the call is cancelled.
 */
export async function* eachItem(
  { signal }: Pick<ToolContext, "signal">,
  store: CalendarStore,
  calendars: readonly Calendar[],
  query: ZonedQuery,
) {
  let count = 0;
  for await (const item of itemsIn(store, calendars, query)) {
    count += 1;
    if (count % 5 === 0) await setImmediate();
    signal.throwIfAborted();
    yield item;
  }
}
