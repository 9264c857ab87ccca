import { keyOf, objectOf, resultsOf, type SearchEngine } from "./engine.ts";

const most = 20;

/** Tavily Search. */
export const tavily: SearchEngine = {
  name: "tavily",
  key: keyOf("tavily"),
  request: ({ query, maxResults, isRecent }, key) => ({
    url: "https://api.tavily.com/search",
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({
      query: query.slice(0, 400),
      max_results: Math.min(most, maxResults),
      ...(isRecent && { time_range: "month" }),
    }),
  }),
  read: async (body) => resultsOf(objectOf(body)["results"], "content"),
};
