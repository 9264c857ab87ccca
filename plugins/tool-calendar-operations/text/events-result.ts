import { countOf, type OperationResult } from "@pergola/sdk";
import type { Range } from "../ics/occurrences.ts";
import type { Events } from "../store/collect-events.ts";
import { formatDate } from "../time/format-time.ts";
import type { Zone } from "../time/zone.ts";
import { eventEntry } from "./event-entry.ts";

/** The events in Markdown, and a summary of what was found, left out and unreadable. */
export function eventsResult(
  { events, unreadable, hasMore }: Events,
  { from, to }: Range,
  zone: Zone,
): OperationResult {
  const span = `from ${formatDate(zone.toLocal(from))} to ${formatDate(zone.toLocal(to - 1))}`;
  const sentences = [`${countOf(events.length, "event")} ${span}, in the time zone ${zone.name}.`];
  if (hasMore) sentences.push("There are more: ask for fewer days or for one calendar.");
  if (unreadable > 0) sentences.push(`${countOf(unreadable, "event")} could not be read.`);
  const data = events.map((event) => eventEntry(event, zone)).join("\n\n");
  return { data: data || `No events ${span}.`, message: sentences.join(" ") };
}
