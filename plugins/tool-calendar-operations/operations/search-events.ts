import { matchWords } from "@pergola/kit-dav";
import { defineOperation, toolDisplay } from "@pergola/sdk";
import type { Occurrence } from "../ics/occurrences.ts";
import { daysAhead, query } from "../parameters.ts";
import { eventsResult } from "../text/events-result.ts";
import { textOf } from "../text/text-of.ts";

/** Matches events whose title, location or notes contain every word of the query. */
function eventMatcher(query: string): (occurrence: Occurrence) => boolean {
  const hasWords = matchWords(query);
  return ({ component }) =>
    hasWords(["summary", "location", "description"].map((name) => textOf(component, name)));
}

export const searchEvents = defineOperation({
  name: "search_events",
  description: "Find events by words, in the past and the future.",
  effect: "read",
  parameters: { query, days_ahead: daysAhead(30), days_back: daysAhead(30) },
  required: ["query"],
  display: ({ query: text }) => toolDisplay("Search the calendar", text, "calendar"),
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
  run: ({ query: text, days_ahead: ahead, days_back: back }, context) =>
    eventsResult(context, { ahead, back, accept: eventMatcher(text) }),
});
