import type ICAL from "ical.js";
import type { Stamp } from "../time/stamp.ts";
import { utc, type Zone } from "../time/zone.ts";
import type { FileZones } from "./file-zones.ts";

/** How to read the dates of a file: its zones, and the person's zone for times that name none. */
export interface Reading {
  readonly zones: FileZones;
  readonly user: Zone;
}

const isTime = (value: unknown): value is ICAL.Time =>
  typeof value === "object" && value !== null && "isDate" in value;

function zoneOf(time: ICAL.Time, tzid: unknown, { zones, user }: Reading): Zone {
  if (time.isDate) return user;
  if (time.zone?.tzid === "UTC") return utc;
  return (typeof tzid === "string" && zones(tzid)) || user;
}

function stampOf(time: ICAL.Time, tzid: unknown, reading: Reading): Stamp {
  const { year, month, day, hour, minute, second, isDate } = time;
  const local = Date.UTC(year, month - 1, day, isDate ? 0 : hour, minute, second);
  return { local, isDate, zone: zoneOf(time, tzid, reading) };
}

/** The dates of a property. A period stands for its start. */
function stampsOf(property: ICAL.Property, reading: Reading): readonly Stamp[] {
  const starts = (property.getValues() as unknown[]).map(
    (value) => (value as { readonly start?: unknown } | null)?.start ?? value,
  );
  return starts.filter(isTime).map((time) => stampOf(time, property.getParameter("tzid"), reading));
}

/** The date of a component's property. */
export function readStamp(component: ICAL.Component, name: string, reading: Reading): Stamp | undefined {
  const [property] = component.getAllProperties(name);
  return property && stampsOf(property, reading)[0];
}

/** All dates of a component's properties of one name. */
export const readStamps = (component: ICAL.Component, name: string, reading: Reading): readonly Stamp[] =>
  component.getAllProperties(name).flatMap((property) => stampsOf(property, reading));

/** The zone name that a component's property gives, if any. */
export function tzidOf(component: ICAL.Component, name: string): string | undefined {
  const tzid = component.getFirstProperty(name)?.getParameter("tzid");
  return typeof tzid === "string" ? tzid : undefined;
}
