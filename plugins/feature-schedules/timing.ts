import { Cron } from "croner";
import { AppError } from "@pergola/sdk";
import type { Schedule } from "@pergola/sdk/host";

/** Starts that are counted of one absence: a year of minutes would hold the service up. */
const mostCounted = 1000;

const invalid = (param: string, message: string): AppError =>
  new AppError({ code: "invalid_value", message, param });

/** The time zone of this computer. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An IANA time zone as it is usually written. Throws `invalid_value`. */
export function zoneOf(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw invalid("timeZone", `timeZone: there is no time zone "${timeZone}"; one is Europe/Vienna.`);
  }
}

/**
 * Times of a cron expression of five fields or a nickname. Of a time that daylight saving leaves out it is
 * the first moment after the gap, and of one that comes twice the first.
 */
const cronOf = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: "5-part" });

/** Throws `invalid_value` for an expression that nothing can be read from, or that never comes. */
export function checkCron(cron: string, timeZone: string, now: number): void {
  let next: Date | null;
  try {
    next = cronOf(cron, timeZone).nextRun(new Date(now));
  } catch (cause) {
    const isWhole = cron.trim().split(/\s+/).length === 5;
    const why = isWhole ? `: ${(cause as Error).message.replace(/^CronPattern: |\.+$/g, "")}` : "";
    const right =
      'five fields, such as "0 7 * * 1-5" for 7:00 from Monday to Friday, or @hourly, @daily and so on';
    throw new AppError({
      code: "invalid_value",
      message: `cron: "${cron}" cannot be read${why}. It takes ${right}.`,
      param: "cron",
      cause,
    });
  }
  if (next === null) throw invalid("cron", `cron: "${cron}" never comes.`);
}

/** A time to come, in UTC; one without an offset is of the time zone. Throws `invalid_value`. */
export function timeOf(at: string, timeZone: string, now: number): string {
  const time = readTime(at, timeZone);
  if (time === undefined)
    throw invalid("at", `at: "${at}" is no time; one is 2027-01-31T07:00 or 2027-01-31T07:00:00Z.`);
  if (time <= now) throw invalid("at", `at: ${new Date(time).toISOString()} is over.`);
  return new Date(time).toISOString();
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(day: string): boolean {
  const midnight = Date.parse(day);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

function readTime(at: string, timezone: string): number | undefined {
  const [day] = /^\d{4}-\d\d-\d\d(?=T\d\d:\d\d)/.exec(at) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(at)) return Date.parse(at) || undefined;
  const local = /T\d\d:\d\d$/.test(at) ? `${at}:00` : at;
  try {
    return new Cron(local, { timezone }).nextRun(new Date(0))?.getTime();
  } catch {
    return undefined;
  }
}

/** The first start after a moment; null where there is none. */
export function nextAfter({ cron, at, timeZone }: Timed, moment: number): string | null {
  if (cron === null) return at !== null && Date.parse(at) > moment ? at : null;
  return cronOf(cron, timeZone).nextRun(new Date(moment))?.toISOString() ?? null;
}

/** How many starts were due after a moment, and up to another. */
export function countDue({ cron, timeZone }: Timed, after: number, until: number): number {
  if (cron === null) return 0;
  const times = cronOf(cron, timeZone);
  let due = 0;
  for (let at = times.nextRun(new Date(after)); at !== null && at.getTime() <= until; at = times.nextRun(at))
    if (++due === mostCounted) break;
  return due;
}

type Timed = Pick<Schedule, "cron" | "at" | "timeZone">;
