import { oneLine } from "@pergola/kit-dav";
import type ICAL from "ical.js";

const isText = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** The text of a component's property; empty if it has none. */
export function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name) as unknown;
  return isText(value) ? String(value) : "";
}

/** A component's description on one line, shortened to 300 characters. */
export function notesOf(component: ICAL.Component): string {
  const notes = oneLine(textOf(component, "description"));
  return notes.length > 300 ? `${notes.slice(0, 300)}…` : notes;
}
