import { brave } from "./brave.ts";
import { duckduckgo } from "./duckduckgo.ts";
import type { SearchEngine } from "./engine.ts";
import { searxng } from "./searxng.ts";
import { bing, google, serpapi } from "./serpapi.ts";
import { tavily } from "./tavily.ts";

/** What `auto` asks, in this order: those that the operator has set up, then the one that needs nothing. */
const automatic: readonly SearchEngine[] = [searxng, brave, tavily, serpapi, duckduckgo];

/** By the name that the preference `tools.web.search_engine` gives. */
export const engines: Readonly<Record<string, SearchEngine | readonly SearchEngine[]>> = {
  auto: automatic,
  ...Object.fromEntries([...automatic, google, bing].map((engine) => [engine.name, engine])),
};
