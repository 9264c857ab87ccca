import { instantOf, type Stamp } from "./stamp.ts";
import type { Zone } from "./zone.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `+02:00`; `offset` is in milliseconds. */
function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  const parts = [Math.floor(minutes / 60), minutes % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  if (offset < 0) return `-${clock}`;
  return `+${clock}`;
}

/** `2026-07-04 (Saturday)`. */
export const formatDate = (local: number): string =>
  `${new Date(local).toISOString().slice(0, 10)} (${weekdays[new Date(local).getUTCDay()]})`;

/** `2026-07-04T14:00+02:00 (Saturday)`, in the local time of a zone. */
export function formatTime(instant: number, zone: Zone): string {
  const local = zone.toLocal(instant);
  const [date = "", weekday = ""] = formatDate(local).split(" ");
  const time = new Date(local).toISOString().slice(11, 16);
  return `${date}T${time}${offsetText(local - instant)} ${weekday}`;
}

/** A date as it is, a time in the person's zone. */
export function formatStamp(stamp: Stamp, zone: Zone): string {
  if (stamp.isDate) return formatDate(stamp.local);
  return formatTime(instantOf(stamp), zone);
}
