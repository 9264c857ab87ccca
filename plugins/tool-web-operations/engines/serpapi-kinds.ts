/** What SerpApi can search, and how each of its engines names things (serpapi.com, one page for each). */
export const serpapiKinds = {
  google: { query: "q", location: "location" },
  bing: { query: "q", location: "location" },
  amazon: { query: "k" },
  ebay: { query: "_nkw" },
  walmart: { query: "query", link: "product_page_url" },
  tripadvisor: { query: "q", list: "places" },
  yelp: { query: "find_desc", location: "find_loc", needsLocation: true },
} as const satisfies Readonly<Record<string, SerpapiKind>>;

export interface SerpapiKind {
  /** The parameter that holds the query. */
  readonly query: string;
  /** The parameter that holds the place; absent = it knows none. */
  readonly location?: string;
  readonly needsLocation?: boolean;
  /** The field of the results; `organic_results` when absent. */
  readonly list?: string;
  /** The field of a result's address; `link` when absent. */
  readonly link?: string;
}

export type SerpapiName = keyof typeof serpapiKinds;
