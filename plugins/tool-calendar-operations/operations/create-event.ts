import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { calendarName, dateForm, notes, title } from "../parameters.ts";
import { addItem, wasAdded } from "../store/add-item.ts";
import { eventEntry } from "../text/event-entry.ts";
import { readDate } from "../time/read-date.ts";
import { instantOf, stampLine, type Stamp } from "../time/stamp.ts";
import { userZone } from "../time/user-zone.ts";
import { day, type Zone } from "../time/zone.ts";

/** The exclusive end, as files have it: for whole days, the day after the last. Throws `invalid_value`. */
function endOf(start: Stamp, text: string | undefined, zone: Zone): Stamp {
  if (text === undefined) {
    const length = start.isDate ? day : 3_600_000;
    return { ...start, local: start.local + length };
  }
  const end = readDate("end_date", text, zone);
  if (start.isDate && end.isDate && end.local >= start.local) return { ...end, local: end.local + day };
  if (!start.isDate && !end.isDate && instantOf(end) >= instantOf(start)) return end;
  throw new ToolError("invalid_value", "end_date is before start_date, or only one of the two has a time.", {
    hint: "Give both as dates (whole days, the end being the last day), or both with a time.",
  });
}

export const createEvent = defineOperation({
  name: "create_event",
  description: "Add an event. The end defaults to one hour after the start.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: {
    title,
    start_date: { type: "string", description: dateForm },
    end_date: { type: "string", description: "Likewise; of whole days, the last one" },
    notes,
    calendar_name: calendarName,
    location: { type: "string" },
  },
  required: ["title", "start_date"],
  display: (args) => toolDisplay("Add an event", args.title, "calendar-plus"),
  examples: [
    {
      say: "put lunch with Sam on 2026-07-04 at 12:30 in my calendar",
      arguments: { title: "Lunch with Sam", start_date: "2026-07-04T12:30" },
    },
    {
      say: "schedule a team meeting on 2026-03-02 from 14:00 to 15:30 in room 5",
      arguments: {
        title: "Team meeting",
        start_date: "2026-03-02T14:00",
        end_date: "2026-03-02T15:30",
        location: "room 5",
      },
    },
    {
      say: "add Ada's birthday on 2026-12-10 as an all-day event",
      arguments: { title: "Ada's birthday", start_date: "2026-12-10" },
    },
    {
      say: "book a lesson with Ida on 2026-07-04 at 12:30",
      arguments: { title: "Lesson with Ida", start_date: "2026-07-04T12:30" },
    },
    {
      say: "add a call with Ida on 2026-07-04 at 12:30",
      arguments: { title: "Call with Ida", start_date: "2026-07-04T12:30" },
    },
  ],
  async run(
    { title: summary, start_date: from, end_date: to, notes: description, calendar_name: name, location },
    context,
  ) {
    const zone = await userZone(context);
    const start = readDate("start_date", from, zone);
    const end = endOf(start, to, zone);
    const { uid, calendar, component } = await addItem(context, "VEVENT", name, {
      texts: { summary, location, description },
      lines: [stampLine("DTSTART", start), stampLine("DTEND", end)],
    });
    const occurrence = { component, start, end, recurrence: undefined };
    return {
      data: eventEntry({ occurrence, uid, calendar }, zone),
      message: `Added to the calendar "${calendar}".`,
    };
  },
  reconcile: (_args, context) => wasAdded(context, "VEVENT"),
});
