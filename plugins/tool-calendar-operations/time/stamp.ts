import { utc, type Zone } from "./zone.ts";

/** A date, or a date and time, on the clocks of a zone. */
export interface Stamp {
  /** Milliseconds as if in UTC; of a date, its midnight. */
  readonly local: number;
  readonly isDate: boolean;
  readonly zone: Zone;
}

export const instantOf = ({ local, zone }: Stamp): number => zone.toInstant(local);

const basic = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

/** `20260704`, or `20260704T120000Z`. */
export const stampText = (stamp: Stamp): string =>
  stamp.isDate ? basic(stamp.local).slice(0, 8) : basic(instantOf(stamp));

/** A content line such as `DTSTART:20260704T120000Z`, in UTC or as a date. */
export const stampLine = (name: string, stamp: Stamp): string =>
  `${name}${stamp.isDate ? ";VALUE=DATE" : ""}:${stampText(stamp)}`;

/**
 * A content line on the clocks of the zone that another line of the component names; without a name,
 * floating.
 */
export function stampLineLike(name: string, stamp: Stamp, tzid: string | undefined): string {
  if (stamp.isDate || stamp.zone === utc) return stampLine(name, stamp);
  const text = basic(stamp.local).slice(0, -1);
  if (tzid === undefined) return `${name}:${text}`;
  return `${name};TZID=${/[:;,]/.test(tzid) ? `"${tzid}"` : tzid}:${text}`;
}
