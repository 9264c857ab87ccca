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

/** Completed or cancelled. */
export const isClosed = (component: ICAL.Component): boolean =>
  /^(COMPLETED|CANCELLED)$/i.test(String(component.getFirstPropertyValue("status"))) ||
  component.hasProperty("completed");

const dueTime = ({ due }: Reminder): number => (due && instantOf(due)) ?? Number.MAX_VALUE;

/** All reminders of lists, the earliest due first, those without a date last. */
export async function collectReminders(
  context: Pick<ToolContext, "signal">,
  store: CalendarStore,
  lists: readonly Calendar[],
  zone: Zone,
) {
  const reminders: Reminder[] = [];
  let unreadable = 0;
  for await (const { calendar, item, reading } of eachItem(context, store, lists, { kind: "VTODO", zone })) {
    const component = item.blocks[0] && (await parseBlock(item.blocks[0]).catch(() => undefined));
    if (component === undefined) {
      unreadable += 1;
      continue;
    }
    const due = readStamp(component, "due", reading);
    reminders.push({ uid: item.uid, list: calendar.name, component, due });
  }
  return { reminders: reminders.toSorted((a, b) => dueTime(a) - dueTime(b)), unreadable };
}
