import { markdownEntry } from "@pergola/kit-dav";
import type ICAL from "ical.js";
import { isClosed, type Reminder } from "../store/collect-reminders.ts";
import { formatStamp } from "../time/format-time.ts";
import type { Zone } from "../time/zone.ts";
import { isCancelled, notesOf, textOf } from "./text-of.ts";

/** RFC 5545, section 3.8.1.9. */
const priorityNames = ["", "high", "high", "high", "high", "medium", "low", "low", "low", "low"];

function statusOf(component: ICAL.Component): string | undefined {
  if (!isClosed(component)) return undefined;
  if (isCancelled(component)) return "cancelled";
  return "completed";
}

/** One reminder in Markdown, in the person's time zone. */
export const reminderEntry = ({ uid, list, component, due }: Reminder, zone: Zone): string =>
  markdownEntry(textOf(component, "summary").trim() || "(no title)", {
    Due: due && formatStamp(due, zone),
    Priority: priorityNames[Number(textOf(component, "priority"))],
    Repeats: component.hasProperty("rrule") ? "yes" : undefined,
    Status: statusOf(component),
    List: list,
    Notes: notesOf(component),
    ID: uid,
  });
