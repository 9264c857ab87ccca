import { ToolError } from "@pergola/sdk";
import { itemsOf, nouns, type Item, type Kind } from "../ics/items.ts";
import type { CalendarQuery, CalendarStore, CalendarText } from "./calendar-store.ts";

export interface FoundItem {
  readonly text: CalendarText;
  readonly item: Item;
  /** The occurrence that the ID names; undefined for the whole item. */
  readonly recurrence: string | undefined;
}

const occurrenceId = /^(.+)#(\d{8}(?:T\d{6}Z)?)$/;
const listOperations: Readonly<Record<Kind, string>> = {
  VEVENT: "list_events or search_events",
  VTODO: "list_reminders",
};

async function search(store: CalendarStore, uid: string, kind: Kind) {
  const query: CalendarQuery = uid.startsWith("without-uid-") ? { kind } : { kind, uid };
  for (const calendar of await store.calendars()) {
    for (const text of await store.texts(calendar, query)) {
      const item = itemsOf(text.text, kind).find((one) => one.uid === uid);
      if (item !== undefined) return { text, item };
    }
  }
  return undefined;
}

/** Looks for the event or reminder with an ID, or the series of an occurrence's ID. */
export async function lookForItem(
  store: CalendarStore,
  id: string,
  kind: Kind,
): Promise<FoundItem | undefined> {
  const whole = await search(store, id, kind);
  if (whole !== undefined) return { ...whole, recurrence: undefined };
  const [, uid, recurrence] = occurrenceId.exec(id) ?? [];
  if (uid === undefined) return undefined;
  const series = await search(store, uid, kind);
  return series && { ...series, recurrence };
}

/** What was found of the event or reminder with an ID. Throws `not_found` if that is nothing. */
export function requireItem<T>(found: T | undefined, id: string, kind: Kind): T {
  if (found !== undefined) return found;
  throw new ToolError("not_found", `No ${nouns[kind]} has the ID "${id}".`, {
    hint: `Copy the ID exactly from the results of ${listOperations[kind]}.`,
  });
}

/** As `lookForItem`; throws `not_found`. */
export async function findItem(store: CalendarStore, id: string, kind: Kind): Promise<FoundItem> {
  return requireItem(await lookForItem(store, id, kind), id, kind);
}
