import { ToolError } from "@pergola/sdk";
import type { Stamp } from "./stamp.ts";
import { utc, type Zone } from "./zone.ts";

const form =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

const invalidDate = (name: string, text: string): ToolError =>
  new ToolError("invalid_value", `${name} is not a date: "${text}".`, {
    hint:
      "Write ISO 8601: 2026-07-04T14:00 (the person's time zone), 2026-07-04T14:00:00+02:00, or 2026-07-04 " +
      "for a whole day.",
  });

/** The milliseconds of an offset such as `+02:00` or `Z`. */
function offsetOf(text: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const size = 60_000 * (Number(hours) * 60 + Number(minutes));
  if (sign === "-") return -size;
  return size;
}

/**
 * Reads an ISO 8601 date or date-time; without a zone it is in the person's. Throws `invalid_value`, which
 * names the argument.
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
  const normalized = Number.isNaN(local) ? "" : new Date(local).toISOString();
  if (!normalized.startsWith(`${year}-${month}-${date}`)) throw invalidDate(name, text);
  if (hour === undefined) return { local, isDate: true, zone };
  if (!normalized.startsWith(`${hour}:${minute}`, 11)) throw invalidDate(name, text);
  if (offset === undefined) return { local, isDate: false, zone };
  return { local: local - offsetOf(offset), isDate: false, zone: utc };
}
