import { objectOf, resultsOf, withParameters, type SearchEngine } from "./engine.ts";

/** An instance of one's own; its settings must allow the format json (docs.searxng.org/dev/search_api). */
export const searxng: SearchEngine = {
  name: "searxng",
  address: "tools.web.searxng_url",
  request: ({ query, isRecent }, address) => ({
    url: withParameters(new URL("search", address.replace(/\/?$/, "/")).href, {
      q: query,
      format: "json",
      ...(isRecent && { time_range: "month" }),
    }),
    headers: { accept: "application/json" },
  }),
  read: async (body) => resultsOf(objectOf(body)["results"], "content"),
};
