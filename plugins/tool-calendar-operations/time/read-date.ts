import { ToolError } from "@pergola/sdk";
import type { Stamp } from "./stamp.ts";
import { utc, type Zone } from "./zone.ts";

const form =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const wrong = (name: string, text: string): ToolError =>
  new ToolError("invalid_value", `${name} is no date: "${text}".`, {
    hint: "Write ISO 8601: 2026-07-04T14:00 (the person's time zone), 2026-07-04T14:00:00+02:00, or 2026-07-04 for a whole day.",
  });

function offsetOf(text: string): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  return hours === undefined ? 0 : (sign === "-" ? -60_000 : 60_000) * (Number(hours) * 60 + Number(minutes));
}

/**
 * An ISO 8601 date or date-time; without a zone it is in the person's. Throws `invalid_value` that names the
 * argument.
 */
export function readDate(name: string, text: string, zone: Zone): Stamp {
  const [, year, month, date, hour, minute = "0", second = "0", offset] = form.exec(text.trim()) ?? [];
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(date),
    Number(hour ?? 0),
    Number(minute),
    Number(second),
  );
  const read = Number.isNaN(local) ? "" : new Date(local).toISOString();
  const isReal =
    read.startsWith(`${year}-${month}-${date}`) &&
    (hour === undefined || read.startsWith(`${hour}:${minute}`, 11));
  if (!isReal) throw wrong(name, text);
  if (hour === undefined) return { local, isDate: true, zone };
  return offset === undefined
    ? { local, isDate: false, zone }
    : { local: local - offsetOf(offset.toUpperCase()), isDate: false, zone: utc };
}
