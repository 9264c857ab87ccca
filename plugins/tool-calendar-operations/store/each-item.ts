import { setImmediate } from "node:timers/promises";
import type { ToolContext } from "@pergola/sdk";
import { fileZones } from "../ics/file-zones.ts";
import { itemsOf, type Item } from "../ics/items.ts";
import type { Reading } from "../ics/read-stamp.ts";
import type { Zone } from "../time/zone.ts";
import type { Calendar, CalendarStore, Wanted } from "./calendar-store.ts";

export interface Met {
  readonly calendar: Calendar;
  readonly item: Item;
  readonly reading: Reading;
}

/**
 * The events or reminders of calendars, one after the other. Lets others work in between, and stops with the
 * call.
 */
export async function* eachItem(
  { signal }: Pick<ToolContext, "signal">,
  store: CalendarStore,
  calendars: readonly Calendar[],
  { zone, ...wanted }: Wanted & { readonly zone: Zone },
): AsyncGenerator<Met> {
  let seen = 0;
  const all = async function* (): AsyncGenerator<Met> {
    for (const calendar of calendars) {
      for (const { text } of await store.texts(calendar, wanted)) {
        const reading = { zones: await fileZones(text), user: zone };
        yield* itemsOf(text, wanted.kind).map((item) => ({ calendar, item, reading }));
      }
    }
  };
  for await (const met of all()) {
    seen += 1;
    if (seen % 5 === 0) await setImmediate();
    signal.throwIfAborted();
    yield met;
  }
}
