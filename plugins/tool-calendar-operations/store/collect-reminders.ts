import type ICAL from "ical.js";
import type { ToolContext } from "@pergola/sdk";
import { parseBlock } from "../ics/items.ts";
import { readStamp } from "../ics/read-stamp.ts";
import { instantOf, type Stamp } from "../time/stamp.ts";
import type { Zone } from "../time/zone.ts";
import type { Calendar, CalendarStore } from "./calendar-store.ts";
import { eachItem } from "./each-item.ts";

export interface Reminder {
  readonly uid: string;
  readonly list: string;
  readonly component: ICAL.Component;
  readonly due: Stamp | undefined;
}

/** Done or given up. */
export const isClosed = (component: ICAL.Component): boolean =>
  /^(COMPLETED|CANCELLED)$/i.test(String(component.getFirstPropertyValue("status"))) ||
  component.hasProperty("completed");

const time = ({ due }: Reminder): number => (due === undefined ? Infinity : instantOf(due));

/** All reminders of lists, the earliest due first, those without a date last. */
export async function collectReminders(
  context: Pick<ToolContext, "signal">,
  store: CalendarStore,
  lists: readonly Calendar[],
  zone: Zone,
): Promise<{ readonly reminders: readonly Reminder[]; readonly unreadable: number }> {
  const reminders: Reminder[] = [];
  let unreadable = 0;
  for await (const { calendar, item, reading } of eachItem(context, store, lists, { kind: "VTODO", zone })) {
    const component = item.blocks[0] && (await parseBlock(item.blocks[0]).catch(() => undefined));
    if (component === undefined) unreadable += 1;
    else
      reminders.push({
        uid: item.uid,
        list: calendar.name,
        component,
        due: readStamp(component, "due", reading),
      });
  }
  return {
    reminders: reminders.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b))),
    unreadable,
  };
}
