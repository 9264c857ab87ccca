import { ToolError } from "@pergola/sdk";
import type { Kind } from "../ics/items.ts";
import type { Calendar, CalendarStore } from "./calendar-store.ts";

const words: Readonly<Record<Kind, string>> = { VEVENT: "calendar", VTODO: "reminder list" };
const folded = (name: string): string => name.trim().toLowerCase();

function pick(calendars: readonly Calendar[], name: string, kind: Kind): Calendar {
  const fitting = calendars.filter(({ kinds }) => kinds.includes(kind));
  const exact = fitting.find((calendar) => folded(calendar.name) === folded(name));
  const found = exact ?? fitting.find(({ names }) => names.some((one) => folded(one) === folded(name)));
  if (found !== undefined) return found;
  const existing = fitting.map((calendar) => `"${calendar.name}"`).join(", ");
  throw new ToolError("not_found", `There is no ${words[kind]} "${name}".`, {
    hint:
      existing === "" ? `There is none yet: leave the name out, and one is made.` : `Existing: ${existing}.`,
  });
}

/** The calendar with that name, or all of a kind. Throws `not_found`, naming the existing ones. */
export async function calendarsNamed(
  store: CalendarStore,
  name: string | undefined,
  kind: Kind,
): Promise<readonly Calendar[]> {
  const calendars = await store.calendars();
  return name === undefined
    ? calendars.filter(({ kinds }) => kinds.includes(kind))
    : [pick(calendars, name, kind)];
}

/** The calendar that something new goes to. Throws `not_found`, naming the existing ones. */
export const calendarFor = async (
  store: CalendarStore,
  name: string | undefined,
  kind: Kind,
): Promise<Calendar> =>
  name === undefined ? store.standard(kind) : pick(await store.calendars(), name, kind);
