import { ToolError } from "@pergola/sdk";
import { itemsOf, type Item, type Kind } from "../ics/items.ts";
import type { CalendarStore, CalendarText } from "./calendar-store.ts";

export interface FoundItem {
  readonly text: CalendarText;
  readonly item: Item;
  /** The occurrence that the id names; undefined for the whole. */
  readonly recurrence: string | undefined;
}

const occurrence = /^(.+)#(\d{8}(?:T\d{6}Z)?)$/;
const lists: Readonly<Record<Kind, string>> = {
  VEVENT: "list_events or search_events",
  VTODO: "list_reminders",
};

async function search(
  store: CalendarStore,
  uid: string,
  kind: Kind,
): Promise<Omit<FoundItem, "recurrence"> | undefined> {
  for (const calendar of await store.calendars()) {
    for (const text of await store.texts(
      calendar,
      uid.startsWith("without-uid-") ? { kind } : { kind, uid },
    )) {
      const item = itemsOf(text.text, kind).find((one) => one.uid === uid);
      if (item !== undefined) return { text, item };
    }
  }
  return undefined;
}

/** The event or reminder with an id, or the series of an occurrence's id; undefined when there is none. */
export async function lookForItem(
  store: CalendarStore,
  id: string,
  kind: Kind,
): Promise<FoundItem | undefined> {
  const whole = await search(store, id, kind);
  if (whole !== undefined) return { ...whole, recurrence: undefined };
  const [, uid, recurrence] = occurrence.exec(id) ?? [];
  const series = uid === undefined ? undefined : await search(store, uid, kind);
  return series && { ...series, recurrence };
}

export const noItem = (id: string, kind: Kind): ToolError =>
  new ToolError("not_found", `Nothing has the ID "${id}".`, {
    hint: `Take the ID from ${lists[kind]}, exactly as it stands there.`,
  });

/** As `lookForItem`; throws `not_found`. */
export async function findItem(store: CalendarStore, id: string, kind: Kind): Promise<FoundItem> {
  const found = await lookForItem(store, id, kind);
  if (found === undefined) throw noItem(id, kind);
  return found;
}
