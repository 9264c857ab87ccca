import { isClosed, type Reminder } from "../store/collect-reminders.ts";
import { showDate, showTime } from "../time/show-time.ts";
import { instantOf } from "../time/stamp.ts";
import type { Zone } from "../time/zone.ts";
import { entry, shortened, textOf } from "./entry.ts";

/** RFC 5545, 3.8.1.9: 1 to 4 are high, 5 is medium, 6 to 9 are low, 0 is none. */
const priorityName = (priority: number): string | undefined =>
  priority >= 1 && priority <= 4
    ? "high"
    : priority === 5
      ? "medium"
      : priority >= 6 && priority <= 9
        ? "low"
        : undefined;

/** One reminder in Markdown, on the person's clocks. */
export function reminderEntry({ uid, list, component, due }: Reminder, zone: Zone): string {
  return entry(textOf(component, "summary"), {
    Due: due && (due.isDate ? showDate(due.local) : showTime(instantOf(due), zone)),
    Priority: priorityName(Number(textOf(component, "priority"))),
    Repeats: component.hasProperty("rrule") ? "yes" : undefined,
    Status: isClosed(component)
      ? textOf(component, "status") === "CANCELLED"
        ? "cancelled"
        : "completed"
      : undefined,
    List: list,
    Notes: shortened(textOf(component, "description")),
    ID: uid,
  });
}
