import type { OperationResult } from "@pergola/sdk";
import type { Range } from "../ics/occurrences.ts";
import type { Events } from "../store/collect-events.ts";
import { showDate } from "../time/show-time.ts";
import type { Zone } from "../time/zone.ts";
import { counted } from "./entry.ts";
import { eventEntry } from "./event-entry.ts";

/**
 * The result of a list or search: the events in Markdown, and a sentence on what is and what is not there.
 */
export function eventsResult(
  { shown, unreadable, more }: Events,
  { from, to }: Range,
  zone: Zone,
): OperationResult {
  const span = `from ${showDate(zone.toLocal(from))} to ${showDate(zone.toLocal(to - 1))}`;
  const sentences = [
    `${counted(shown.length, "event")} ${span}, in the time zone ${zone.name}.`,
    ...(more ? ["There are more: name fewer days or a calendar."] : []),
    ...(unreadable > 0 ? [`${counted(unreadable, "event")} could not be read.`] : []),
  ];
  const data =
    shown.length === 0 ? `No events ${span}.` : shown.map((one) => eventEntry(one, zone)).join("\n\n");
  return { data, message: sentences.join(" ") };
}
