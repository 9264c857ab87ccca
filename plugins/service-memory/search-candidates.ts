import type { SearchIndex } from "@pergola/sdk";
import { mergeHits, type Candidate } from "./merge-hits.ts";
import type { Embedded } from "./vectors.ts";

/** What is searched: the terms of a question, in some scopes of the indexes. */
export interface CandidateQuery {
  readonly scopes: readonly string[];
  readonly terms: readonly string[];
  readonly limit: number;
}

/** What a question may find by its words, and by its vector if there is one; best first. */
export async function searchCandidates(
  words: SearchIndex,
  embedded: Embedded | undefined,
  { scopes, terms, limit }: CandidateQuery,
): Promise<readonly Candidate[]> {
  const text = terms.join(" ");
  const [vector] = embedded?.vectors ?? [];
  const [byWords, near] = await Promise.all([
    (text !== "" && words.query({ scopes, text, limit })) || [],
    (vector && embedded?.index.query({ scopes, vector, limit })) ?? [],
  ]);
  return mergeHits(byWords, near);
}
