import { definePlugin, defineTool } from "@pergola/sdk";
import { fetch } from "./operations/fetch.ts";
import { research } from "./operations/research.ts";
import { retrieve } from "./operations/retrieve.ts";
import { scrape } from "./operations/scrape.ts";
import { search } from "./operations/search.ts";
import { serpapi } from "./operations/serpapi.ts";
import { reader } from "./reader.ts";

export const webOperations = defineTool({
  name: "web_operations",
  description: "Search the web and read pages.",
  icon: "globe",
  aliases: {
    search_web: "search",
    web_search: "search",
    fetch_url: "fetch",
    fetch_webpage: "fetch",
    web_research: "research",
    web_scraping: "scrape",
  },
  operations: [research, search, fetch, retrieve, scrape, serpapi],
});

export default definePlugin({ tools: [webOperations], stop: () => reader.end() });
