import { listOf, objectOf, withParameters, type SearchEngine } from "./engine.ts";

/** An instance of one's own; its settings must allow the format json (docs.searxng.org/dev/search_api). */
export const searxng: SearchEngine = {
  name: "searxng",
  address: "tools.web.searxng_url",
  request: ({ query, isRecent }, address) => ({
    url: withParameters(new URL("search", address.endsWith("/") ? address : `${address}/`).href, {
      q: query,
      format: "json",
      time_range: isRecent ? "month" : undefined,
    }),
    headers: { accept: "application/json" },
  }),
  read: async (body) =>
    listOf(objectOf(body)["results"]).map(({ title, url, content }) => ({ title, url, snippet: content })),
};
