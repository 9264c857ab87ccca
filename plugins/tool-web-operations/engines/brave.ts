import { isObject, keyOf, listOf, objectOf, withParameters, type SearchEngine } from "./engine.ts";

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
      freshness: isRecent ? "pm" : undefined,
    }),
    headers: { accept: "application/json", "x-subscription-token": key },
  }),
  async read(body) {
    const { web } = objectOf(body);
    return listOf(isObject(web) ? web["results"] : undefined).map(({ title, url, description }) => ({
      title,
      url,
      snippet: description,
    }));
  },
};
