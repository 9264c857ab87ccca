import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import type { Occurrence } from "../ics/occurrences.ts";
import { daysAhead, query } from "../parameters.ts";
import { calendarsNamed } from "../store/choose-calendar.ts";
import { collectEvents } from "../store/collect-events.ts";
import { openStore } from "../store/open-store.ts";
import { textOf } from "../text/entry.ts";
import { eventsResult } from "../text/events-result.ts";
import { daysAround } from "../time/days.ts";
import { userZone } from "../time/user-zone.ts";

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether every word occurs in an event, without regard to case and accents. */
function matcher(wanted: string): (one: Occurrence) => boolean {
  const words = folded(wanted).split(/\s+/).filter(Boolean);
  return ({ component }) => {
    const text = folded(
      ["summary", "location", "description"].map((name) => textOf(component, name)).join("\n"),
    );
    return words.every((word) => text.includes(word));
  };
}

export const searchEvents = defineOperation({
  name: "search_events",
  description: "Find events by words, in the past and the future.",
  effect: "read",
  parameters: { query, days_ahead: daysAhead(30), days_back: daysAhead(30) },
  required: ["query"],
  display: ({ query: wanted }) => card("Searching the calendar", wanted, "calendar"),
  examples: [
    { say: "when is my dentist appointment?", arguments: { query: "dentist" } },
    { say: "when is my next dentist appointment?", arguments: { query: "dentist" } },
    { say: "search my calendar for football", arguments: { query: "football" } },
    { say: "find the meeting with Anna in my calendar", arguments: { query: "Anna" } },
    {
      say: "when did we have the budget review last year?",
      arguments: { query: "budget review", days_back: 365, days_ahead: 0 },
    },
    { say: "when do I see Peter?", arguments: { query: "Peter" } },
  ],
  async run({ query: wanted, days_ahead: ahead, days_back: back }, context) {
    const [store, zone] = [await openStore(context), await userZone(context)];
    const range = daysAround(context.clock.now(), zone, { ahead, back });
    const calendars = await calendarsNamed(store, undefined, "VEVENT");
    return eventsResult(
      await collectEvents(context, store, calendars, { range, zone, accept: matcher(wanted) }),
      range,
      zone,
    );
  },
});
