import { ToolError } from "@pergola/sdk";

const units: Readonly<Record<string, (date: Date, count: number) => unknown>> = {
  second: (date, count) => date.setSeconds(date.getSeconds() - count),
  minute: (date, count) => date.setMinutes(date.getMinutes() - count),
  hour: (date, count) => date.setHours(date.getHours() - count),
  day: (date, count) => date.setDate(date.getDate() - count),
  week: (date, count) => date.setDate(date.getDate() - 7 * count),
  month: (date, count) => date.setMonth(date.getMonth() - count),
  year: (date, count) => date.setFullYear(date.getFullYear() - count),
};
const span = /^(\d{1,6}|an?|last|past) *(second|minute|hour|day|week|month|year)s?(?: ago)?$/i;
const day = /^(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?$/;
const instant = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** Invalid for a day that the calendar does not have. */
function calendarDay(year: number, month: number, dayOfMonth: number): Date {
  const date = new Date(year, month - 1, dayOfMonth);
  return date.getMonth() === month - 1 ? date : new Date(Number.NaN);
}

function dateOf(text: string, now: number): Date {
  const date = new Date(now);
  const [, year, month = "1", dayOfMonth = "1"] = day.exec(text) ?? [];
  if (year !== undefined) return calendarDay(Number(year), Number(month), Number(dayOfMonth));
  if (instant.test(text)) return new Date(text);
  const daysBack = ["today", "yesterday"].indexOf(text.toLowerCase());
  if (daysBack >= 0) return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack);
  const [, count = "", unit = ""] = span.exec(text) ?? [];
  const goBack = units[unit.toLowerCase()];
  if (goBack === undefined) return new Date(Number.NaN);
  const number = Number.parseInt(count);
  goBack(date, Number.isNaN(number) ? 1 : number);
  return date;
}

/**
 * Seconds since 1970 of a date (`2026`, `2026-05`, `2026-05-31`, local time), a date with a time (ISO 8601),
 * `yesterday`, `2 weeks ago`. git itself takes whatever it cannot read for the present, and a date for that
 * date at the present time of day. Throws ToolError `invalid_value`.
 */
export function moment(text: string, now: number): number {
  const seconds = Math.floor(dateOf(text.trim(), now).getTime() / 1000);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds);
  throw new ToolError("invalid_value", `"${text}" is not a date.`, {
    hint: "Examples: 2026-05-31, 2026-05-31T18:00, yesterday, 2 weeks ago.",
  });
}
