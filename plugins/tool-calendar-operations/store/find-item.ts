import { ToolError, type Awaitable, type ToolContext } from "@pergola/sdk";
import { itemsOf, nouns, type Item, type Kind } from "../ics/items.ts";
import type { CalendarQuery, CalendarStore, CalendarText } from "./calendar-store.ts";
import { openStore } from "./open-store.ts";

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

function requireItem<T>(found: T | undefined, id: string, kind: Kind): T {
  if (found !== undefined) return found;
  throw new ToolError("not_found", `No ${nouns[kind]} has the ID "${id}".`, {
    hint: `Copy the ID exactly from the results of ${listOperations[kind]}.`,
  });
}

/**
 * Changes the text that holds the event or reminder with an ID, and returns what was found before. Throws
 * `not_found` if there is none, or if `edit` finds none.
 */
export async function changeItem(
  context: ToolContext,
  id: string,
  kind: Kind,
  edit: (text: string, found: FoundItem) => Awaitable<string | undefined>,
): Promise<FoundItem> {
  const store = await openStore(context);
  const found = requireItem(await lookForItem(store, id, kind), id, kind);
  await store.change(found.text, async (text) => requireItem(await edit(text, found), id, kind));
  return found;
}
