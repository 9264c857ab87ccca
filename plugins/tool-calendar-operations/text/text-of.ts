import { oneLine } from "@pergola/kit-dav";
import type ICAL from "ical.js";

const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** The text of a component's property; empty if it has none. */
export function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name) as unknown;
  if (!isText(value)) return "";
  return String(value);
}

export const isCancelled = (component: ICAL.Component): boolean =>
  textOf(component, "status") === "CANCELLED";

/** A component's description on one line, shortened to 300 characters. */
export function notesOf(component: ICAL.Component): string {
  const notes = oneLine(textOf(component, "description"));
  if (notes.length <= 300) return notes;
  return `${notes.slice(0, 300)}…`;
}
