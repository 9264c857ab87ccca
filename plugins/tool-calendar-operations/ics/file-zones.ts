import type ICAL from "ical.js";
import { zoneNamed, type Zone } from "../time/zone.ts";
import { blocksOf } from "./blocks.ts";
import { parseBlock } from "./items.ts";
import { loadIcal, type Ical } from "./library.ts";

/** The zone that a TZID means in one file. */
export type FileZones = (tzid: string) => Zone | undefined;

/** Time zones use no other rules, and ical.js follows some others forever. */
const isSafe = (rule: string): boolean =>
  /^FREQ=YEARLY(;(UNTIL=\w+|BYMONTH=\d+|BYDAY=[-+\d]*[A-Z]{2}|INTERVAL=1|WKST=[A-Z]{2}|COUNT=\d+))*$/i.test(
    rule,
  );

function definedZone(ical: Ical, component: ICAL.Component, name: string): Zone {
  const zone = new ical.Timezone({ component, tzid: name });
  const offsetAt = (local: number): number => {
    const time = ical.Time.fromJSDate(new Date(local), true);
    time.zone = zone;
    return zone.utcOffset(time) * 1000;
  };
  return {
    name,
    toInstant: (local) => local - offsetAt(local),
    toLocal: (instant) => {
      const near = instant + offsetAt(instant);
      return instant + offsetAt(near);
    },
  };
}

/** The zones of a file: the system's if it knows the name, else as the file's VTIMEZONE defines them. */
export async function fileZones(text: string): Promise<FileZones> {
  const defined = new Map<string, Zone>();
  for (const block of blocksOf(text).filter(({ kind }) => kind === "VTIMEZONE")) {
    const rules = [...block.text.matchAll(/^RRULE:(.*?)\r?$/gim)].map(([, rule = ""]) => rule.trim());
    if (!rules.every(isSafe)) continue;
    const component = await parseBlock(block).catch(() => undefined);
    const name = component?.getFirstPropertyValue("tzid");
    if (component === undefined || typeof name !== "string" || zoneNamed(name)) continue;
    defined.set(name, definedZone(await loadIcal(), component, name));
  }
  return (tzid) => zoneNamed(tzid) ?? defined.get(tzid);
}
