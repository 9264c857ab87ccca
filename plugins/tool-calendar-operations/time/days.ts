import type { Range } from "../ics/occurrences.ts";
import { day, type Zone } from "./zone.ts";

export interface Days {
  readonly back?: number;
  readonly ahead: number;
}

/** From the start of the day `back` days ago to the end of the day `ahead` days from now, in a zone. */
export function daysAround(now: number, zone: Zone, { back = 0, ahead }: Days): Range {
  const today = Math.floor(zone.toLocal(now) / day) * day;
  return { from: zone.toInstant(today - back * day), to: zone.toInstant(today + (ahead + 1) * day) };
}
