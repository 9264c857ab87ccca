import { definePlugin, defineTool } from "@pergola/sdk";
import { completeReminder } from "./operations/complete-reminder.ts";
import { createEvent } from "./operations/create-event.ts";
import { createReminder } from "./operations/create-reminder.ts";
import { deleteEvent } from "./operations/delete-event.ts";
import { deleteReminder } from "./operations/delete-reminder.ts";
import { listEvents } from "./operations/list-events.ts";
import { listReminderLists } from "./operations/list-reminder-lists.ts";
import { listReminders } from "./operations/list-reminders.ts";
import { searchEvents } from "./operations/search-events.ts";

const operations = [
  listEvents,
  createEvent,
  searchEvents,
  deleteEvent,
  listReminders,
  createReminder,
  completeReminder,
  deleteReminder,
  listReminderLists,
];

export const calendarOperations = defineTool({
  name: "calendar_operations",
  description: "The person's calendars and reminders.",
  icon: "calendar",
  aliases: Object.fromEntries(operations.map(({ name }) => [name, name])),
  operations,
});

export default definePlugin({
  tools: [calendarOperations],
});
