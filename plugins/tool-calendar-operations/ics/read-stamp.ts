import type ICAL from "ical.js";
import type { Stamp } from "../time/stamp.ts";
import { utc, type Zone } from "../time/zone.ts";
import type { FileZones } from "./file-zones.ts";

/** What dates in a file mean: its zones, and the zone of times that name none. */
export interface Reading {
  readonly zones: FileZones;
  readonly user: Zone;
}

const isTime = (value: unknown): value is ICAL.Time =>
  typeof value === "object" && value !== null && "isDate" in value;

const stampOf = (time: ICAL.Time, tzid: unknown, { zones, user }: Reading): Stamp => {
  const local = Date.UTC(
    time.year,
    time.month - 1,
    time.day,
    time.isDate ? 0 : time.hour,
    time.minute,
    time.second,
  );
  const named = typeof tzid === "string" ? zones(tzid) : undefined;
  return {
    local,
    isDate: time.isDate,
    zone: time.isDate ? user : time.zone?.tzid === "UTC" ? utc : (named ?? user),
  };
};

/** The dates that a property holds; of a period, its start. */
export function stampsOf(property: ICAL.Property, reading: Reading): readonly Stamp[] {
  const starts = (property.getValues() as unknown[]).map(
    (value) => (value as { readonly start?: unknown } | null)?.start ?? value,
  );
  return starts.filter(isTime).map((time) => stampOf(time, property.getParameter("tzid"), reading));
}

/** The date of a component's property. */
export function readStamp(component: ICAL.Component, name: string, reading: Reading): Stamp | undefined {
  const property = component.getFirstProperty(name);
  return property ? stampsOf(property, reading)[0] : undefined;
}

/** All dates of a component's properties of one name. */
export const readStamps = (component: ICAL.Component, name: string, reading: Reading): readonly Stamp[] =>
  component.getAllProperties(name).flatMap((property) => stampsOf(property, reading));
