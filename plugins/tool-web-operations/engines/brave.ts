import { keyOf, listOf, objectOf, resultsOf, withParameters, type SearchEngine } from "./engine.ts";

const most = 20;

/** Brave Search API, web search. */
export const brave: SearchEngine = {
  name: "brave",
  key: keyOf("brave"),
  request: ({ query, maxResults, isRecent }, key) => ({
    url: withParameters("https://api.search.brave.com/res/v1/web/search", {
      q: query.slice(0, 400),
      count: Math.min(most, maxResults),
      text_decorations: "false",
      ...(isRecent && { freshness: "pm" }),
    }),
    headers: { accept: "application/json", "x-subscription-token": key },
  }),
  async read(body) {
    const [web] = listOf(objectOf(body)["web"]);
    return resultsOf(web?.["results"], "description");
  },
};
