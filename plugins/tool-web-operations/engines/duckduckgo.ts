import { reader } from "../reader.ts";
import type { Rows } from "../reading/read-tasks.ts";
import type { SearchEngine } from "./engine.ts";

const address = "https://html.duckduckgo.com/html/";
const longestQuery = 499;

/** The page without scripts. Advertisements are no `web-result`, and their links hold no address. */
const rows: Rows = {
  row: ".result.web-result",
  fields: { title: ".result__a", url: ".result__a@href", snippet: ".result__snippet" },
};

/** An exclamation mark before a word (a "bang") would send the request to another site. */
const withoutBangs = (query: string): string =>
  query.replace(/(^|\s)[!\\]+(?=\S)/g, "$1").slice(0, longestQuery);

/** Links may lead through duckduckgo.com/l/, which holds the address as `uddg`. */
function target(href: string): string {
  if (!URL.canParse(href, address)) return "";
  const url = new URL(href, address);
  if (!url.hostname.endsWith("duckduckgo.com")) return url.href;
  return url.searchParams.get("uddg") ?? "";
}

export const duckduckgo: SearchEngine = {
  name: "duckduckgo",
  request: ({ query, isRecent }) => ({
    url: address,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", referer: address, accept: "text/html" },
    body: new URLSearchParams({
      q: withoutBangs(query),
      b: "",
      kl: "wt-wt",
      ...(isRecent && { df: "m" }),
    }).toString(),
  }),
  async read(body, signal) {
    if (/id="challenge-form"|class="anomaly-modal/.test(body))
      throw new Error("it asks for a proof of being human");
    const found = await reader.run("rows", { html: body, ...rows }, { signal });
    if (found.length === 0 && !/class="no-results|class="result__/.test(body))
      throw new Error("its page has changed");
    return found.map(({ title, url = "", snippet }) => ({ title, url: target(url), snippet }));
  },
};
