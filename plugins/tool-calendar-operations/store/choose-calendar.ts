import { ToolError } from "@pergola/sdk";
import type { Kind } from "../ics/items.ts";
import type { Calendar, CalendarStore } from "./calendar-store.ts";

const words: Readonly<Record<Kind, string>> = { VEVENT: "calendar", VTODO: "reminder list" };

function pick(calendars: readonly Calendar[], title: string, kind: Kind): Calendar {
  const matches = (name: string): boolean => name.trim().toLowerCase() === title.trim().toLowerCase();
  const ofKind = calendars.filter(({ kinds }) => kinds.includes(kind));
  const found = ofKind.find(({ name }) => matches(name)) ?? ofKind.find(({ names }) => names.some(matches));
  if (found !== undefined) return found;
  const existing = ofKind.map(({ name }) => `"${name}"`).join(", ");
  throw new ToolError("not_found", `There is no ${words[kind]} "${title}".`, {
    hint: (existing && `Existing: ${existing}.`) || "There is none yet: omit the name, and one is created.",
  });
}

/** The calendar with that name, or all of a kind. Throws `not_found`, naming the existing ones. */
export async function calendarsNamed(
  store: CalendarStore,
  name: string | undefined,
  kind: Kind,
): Promise<readonly Calendar[]> {
  const calendars = await store.calendars();
  if (name !== undefined) return [pick(calendars, name, kind)];
  return calendars.filter(({ kinds }) => kinds.includes(kind));
}

/** The calendar for a new event or reminder. Throws `not_found`, naming the existing ones. */
export async function calendarFor(
  store: CalendarStore,
  name: string | undefined,
  kind: Kind,
): Promise<Calendar> {
  if (name === undefined) return store.defaultCalendar(kind);
  return pick(await store.calendars(), name, kind);
}
