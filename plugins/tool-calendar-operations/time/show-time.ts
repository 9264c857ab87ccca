import type { Zone } from "./zone.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const offsetText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
};

/** `2026-07-04 (Saturday)`. */
export const showDate = (local: number): string =>
  `${new Date(local).toISOString().slice(0, 10)} (${weekdays[new Date(local).getUTCDay()]})`;

/** `2026-07-04T14:00+02:00 (Saturday)`, on the clocks of a zone. */
export function showTime(instant: number, zone: Zone): string {
  const local = zone.toLocal(instant);
  const [date = "", weekday = ""] = showDate(local).split(" ");
  return `${date}T${new Date(local).toISOString().slice(11, 16)}${offsetText(Math.round((local - instant) / 60_000))} ${weekday}`;
}
