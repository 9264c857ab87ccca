import type ICAL from "ical.js";
import { zoneNamed, type Zone } from "../time/zone.ts";
import { blocksOf } from "./blocks.ts";
import { parseBlock } from "./items.ts";
import { loadIcal, type Ical } from "./library.ts";

/** The zone that a TZID means in one file. */
export type FileZones = (tzid: string) => Zone | undefined;

/** Other rules than these appear in no time zone, and ical.js follows some of them for ever. */
const isSafe = (rule: string): boolean =>
  /^FREQ=YEARLY(;(UNTIL=\w+|BYMONTH=\d+|BYDAY=[-+\d]*[A-Z]{2}|INTERVAL=1|WKST=[A-Z]{2}|COUNT=\d+))*$/i.test(
    rule,
  );

function definedZone(ical: Ical, component: ICAL.Component, name: string): Zone {
  const zone = new ical.Timezone({ component, tzid: name });
  const floating = (time: number): ICAL.Time => {
    const date = new Date(time);
    return new ical.Time(
      {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
      },
      zone,
    );
  };
  const offsetAt = (local: number): number => zone.utcOffset(floating(local)) * 1000;
  return {
    name,
    toInstant: (local) => local - offsetAt(local),
    toLocal: (instant) => {
      const near = instant + offsetAt(instant);
      return instant + offsetAt(near);
    },
  };
}

/**
 * The zones of a file: by IANA name from the system's own tables, else as the file's VTIMEZONE defines it.
 */
export async function fileZones(text: string): Promise<FileZones> {
  const found = new Map<string, Zone>();
  for (const block of blocksOf(text).filter(({ kind }) => kind === "VTIMEZONE")) {
    const rules = [...block.text.matchAll(/^RRULE:(.*?)\r?$/gim)].map(([, rule = ""]) => rule.trim());
    const component = rules.every(isSafe) ? await parseBlock(block).catch(() => undefined) : undefined;
    const name = component?.getFirstPropertyValue("tzid");
    if (component !== undefined && typeof name === "string" && zoneNamed(name) === undefined)
      found.set(name, definedZone(await loadIcal(), component, name));
  }
  return (tzid) => zoneNamed(tzid) ?? found.get(tzid);
}
