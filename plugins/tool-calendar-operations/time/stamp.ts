import { utc, type Zone } from "./zone.ts";

/** A date, or a date and time, in the local time of a zone. */
export interface Stamp {
  /** Local time in milliseconds, as if it were UTC. A date stands for its midnight. */
  readonly local: number;
  readonly isDate: boolean;
  readonly zone: Zone;
}

export const instantOf = ({ local, zone }: Stamp): number => zone.toInstant(local);

/** `20260704T120000Z`: ISO 8601 in its basic form. */
export const basicTime = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

/** `20260704`, or `20260704T120000Z`. */
export function stampText(stamp: Stamp): string {
  if (stamp.isDate) return basicTime(stamp.local).slice(0, 8);
  return basicTime(instantOf(stamp));
}

/** A content line such as `DTSTART:20260704T120000Z`, in UTC or as a date. */
export function stampLine(name: string, stamp: Stamp): string {
  const text = stampText(stamp);
  if (stamp.isDate) return `${name};VALUE=DATE:${text}`;
  return `${name}:${text}`;
}

/**
 * A content line in local time: with the zone that `tzid` names, or floating if it is undefined. UTC times
 * and dates need neither.
 */
export function stampLineLike(name: string, stamp: Stamp, tzid: string | undefined): string {
  if (stamp.isDate || stamp.zone === utc) return stampLine(name, stamp);
  const text = basicTime(stamp.local).slice(0, -1);
  if (tzid === undefined) return `${name}:${text}`;
  const zone = /[:;,]/.test(tzid) ? `"${tzid}"` : tzid;
  return `${name};TZID=${zone}:${text}`;
}
