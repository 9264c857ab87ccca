import { defineOperation, toolDisplay } from "@pergola/sdk";
import { calendarName, daysAhead } from "../parameters.ts";
import { eventsResult } from "../text/events-result.ts";

export const listEvents = defineOperation({
  name: "list_events",
  description: "Events of today and the next days.",
  effect: "read",
  parameters: { days_ahead: daysAhead(7), calendar_name: calendarName },
  display: ({ calendar_name: name = "" }) => toolDisplay("Look at the calendar", name, "calendar"),
  examples: [
    { say: "what is in my calendar this week?", arguments: {} },
    { say: "what is in my Work calendar?", arguments: { calendar_name: "Work" } },
    { say: "do I have any appointments today?", arguments: { days_ahead: 0 } },
    { say: "what's on tomorrow?", arguments: { days_ahead: 1 } },
    {
      say: "show the events of the next 30 days in my Work calendar",
      arguments: { days_ahead: 30, calendar_name: "Work" },
    },
    { say: "what do I have on today?", arguments: { days_ahead: 0 } },
    { say: "what is coming up?", arguments: {} },
  ],
  run: ({ days_ahead: ahead, calendar_name: name }, context) =>
    eventsResult(context, { ahead, calendarName: name }),
});
