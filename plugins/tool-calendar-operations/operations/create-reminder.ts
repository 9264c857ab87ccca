import { defineOperation, toolDisplay } from "@pergola/sdk";
import { dateForm, listName, notes, title } from "../parameters.ts";
import { addItem, wasAdded } from "../store/add-item.ts";
import { reminderEntry } from "../text/reminder-entry.ts";
import { readDate } from "../time/read-date.ts";
import { stampLine, type Stamp } from "../time/stamp.ts";
import { userZone } from "../time/user-zone.ts";

/** The date, and an alarm at that time for programs that sound alarms. */
function dueLines(due: Stamp | undefined): readonly string[] {
  if (due === undefined) return [];
  const line = stampLine("DUE", due);
  if (due.isDate) return [line];
  return [
    line,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Reminder",
    "TRIGGER;RELATED=END:PT0S",
    "END:VALARM",
  ];
}

export const createReminder = defineOperation({
  name: "create_reminder",
  description: "Add a reminder to a list. Only calendar programs sound alarms.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: {
    title,
    due_date: { type: "string", description: dateForm },
    notes,
    list_name: listName,
    priority: {
      type: "integer",
      minimum: 0,
      maximum: 9,
      default: 0,
      description: "0 none, 1 high, 5 medium, 9 low",
    },
  },
  required: ["title"],
  display: (args) => toolDisplay("Add a reminder", args.title, "list-plus"),
  examples: [
    { say: "remind me to buy milk", arguments: { title: "Buy milk" } },
    {
      say: "remind me to call the bank on 2026-07-04 at 9:00",
      arguments: { title: "Call the bank", due_date: "2026-07-04T09:00" },
    },
    {
      say: "remind me on 2026-07-04 at 9:00 to call the bank",
      arguments: { title: "Call the bank", due_date: "2026-07-04T09:00" },
    },
    {
      say: "add water the plants to my Home reminders, high priority",
      arguments: { title: "Water the plants", list_name: "Home", priority: 1 },
    },
    {
      say: "on 2026-07-05 at 10:00 remind me to pay the rent",
      arguments: { title: "Pay the rent", due_date: "2026-07-05T10:00" },
    },
    { say: "add a reminder to call Anna", arguments: { title: "Call Anna" } },
    { say: "add a reminder: call the bank", arguments: { title: "Call the bank" } },
  ],
  async run({ title: summary, due_date: date, notes: description, list_name: name, priority }, context) {
    const zone = await userZone(context);
    const due = date === undefined ? undefined : readDate("due_date", date, zone);
    const lines = ["STATUS:NEEDS-ACTION"];
    if (priority > 0) lines.push(`PRIORITY:${priority}`);
    lines.push(...dueLines(due));
    const texts = { summary, description };
    const { uid, calendar: list, component } = await addItem(context, "VTODO", name, { texts, lines });
    return {
      data: reminderEntry({ uid, list, component, due }, zone),
      message: `Added to the list "${list}".`,
    };
  },
  reconcile: (_args, context) => wasAdded(context, "VTODO"),
});
