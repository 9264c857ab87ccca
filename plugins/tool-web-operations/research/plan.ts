export const depths = ["shallow", "standard", "comprehensive"] as const;
export const kinds = ["general", "news", "technical"] as const;

export type Depth = (typeof depths)[number];
export type Kind = (typeof kinds)[number];

export interface Plan {
  /** What is searched for, one search after the other. */
  readonly queries: readonly string[];
  readonly isRecent: boolean;
  /** Pages that are read. */
  readonly sources: number;
  readonly findings: number;
}

const sizes: Readonly<Record<Depth, Pick<Plan, "sources" | "findings"> & { readonly queries: number }>> = {
  shallow: { sources: 3, findings: 3, queries: 1 },
  standard: { sources: 6, findings: 5, queries: 1 },
  comprehensive: { sources: 12, findings: 8, queries: 2 },
};

/** What is asked for each kind, the second for a comprehensive search only. */
const wordings: Readonly<Record<Kind, readonly ((query: string) => string)[]>> = {
  general: [(query) => query, (query) => `${query} overview facts`],
  news: [(query) => `${query} news`, (query) => `${query} latest report`],
  technical: [(query) => query, (query) => `${query} documentation example`],
};

/** How much is read for a question, and how it is put to the search engine. */
export function planResearch(query: string, depth: Depth, kind: Kind): Plan {
  const { queries, ...size } = sizes[depth];
  return {
    ...size,
    queries: wordings[kind].slice(0, queries).map((word) => word(query)),
    isRecent: kind === "news",
  };
}
