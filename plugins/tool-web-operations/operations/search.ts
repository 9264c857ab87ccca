import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { searchWeb } from "../engines/search-web.ts";
import { asData } from "../messages.ts";
import { query, timeout } from "../parameters.ts";

export const search = defineOperation({
  name: "search",
  aliases: ["web_search", "search_web"],
  description: "Search the web.",
  effect: "read",
  parameters: {
    query,
    max_results: { type: "integer", minimum: 1, maximum: 50, default: 10 },
    timeout,
  },
  required: ["query"],
  display: (args) => toolDisplay("Search the web", args.query, "search"),
  examples: [
    {
      say: "search the web for the tallest building in Europe",
      arguments: { query: "tallest building in Europe" },
    },
    { say: "google how to prune an apple tree", arguments: { query: "how to prune an apple tree" } },
    { say: "find websites about solar ovens", arguments: { query: "solar ovens" } },
    {
      say: "look up the opening hours of the Louvre online",
      arguments: { query: "opening hours of the Louvre" },
    },
    {
      say: "search the internet for second-hand bikes in Ghent",
      arguments: { query: "second-hand bikes in Ghent" },
    },
    { say: "look online for the manual of my dishwasher", arguments: { query: "manual of my dishwasher" } },
    { say: "find 3 web pages about knots", arguments: { query: "knots", max_results: 3 } },
    { say: "do an internet search for ferry timetables", arguments: { query: "ferry timetables" } },
    { say: "web search for cheap tents", arguments: { query: "cheap tents" } },
    { say: "look up bus strikes on the web", arguments: { query: "bus strikes" } },
    { say: "google when the shops open", arguments: { query: "when the shops open" } },
  ],
  async run({ query: text, max_results: maxResults, timeout: seconds }, context) {
    const request = { query: text, maxResults, isRecent: false };
    const { results, engine } = await searchWeb(context, request, seconds);
    const next = results.length === 0 ? "Try other words." : asData;
    return {
      data: { results, engine },
      message: `${countOf(results.length, "result")} from ${engine}. ${next}`,
    };
  },
});
