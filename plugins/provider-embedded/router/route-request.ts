import { AppError, type OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { catalogueOf } from "./catalogue.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { meaningOf } from "./meaning.ts";
import { readOrder } from "../phrase/order.ts";
import { readPhrase } from "../phrase/phrase.ts";
import { type Candidate, rank, type RoutingTable, routingTable } from "./rank.ts";
import { floors } from "./weights.ts";

/** How many routes the sentence embedding looks at: the likeliest by their words. */
const shortlist = 12;

/** Certain from the words alone: well ahead, complete, and nothing that was given is left over. */
function isCertain([best, next]: readonly Candidate[]): boolean {
  if (best === undefined || best.score < floors.certain || best.filling.missing.length > 0 || best.filling.leftover.length > 0 || best.filling.loose.length > 0) return false;
  return next === undefined || best.score - next.score >= floors.lead;
}

const isHopeless = (ranked: readonly Candidate[]): boolean => (ranked[0]?.score ?? 0) < floors.hopeless;

async function withMeaning(text: string, table: RoutingTable, ranked: readonly Candidate[], vectors: VectorCache, signal: AbortSignal): Promise<readonly Candidate[]> {
  const phrase = readPhrase(text);
  const routes = ranked.slice(0, shortlist).map(({ route }) => route);
  try {
    const meaning = await meaningOf(phrase, routes, vectors, signal);
    return rank(phrase, readOrder(phrase), { ...table, routes }, (route) => meaning.get(route));
  } catch (error) {
    if (signal.aborted || !AppError.is(error)) throw error;
    return ranked;
  }
}

export interface Routed {
  readonly decision: Decision;
  /** The likeliest routes, for suggestions. */
  readonly ranked: readonly Candidate[];
}

/** Finds what a request asks for among the offered tools: by words first, by meaning where they leave a doubt. */
export async function routeRequest(text: string, tools: readonly OfferedTool[], vectors: VectorCache, signal: AbortSignal): Promise<Routed> {
  const table = routingTable(catalogueOf(tools));
  const phrase = readPhrase(text);
  const order = readOrder(phrase);
  const byWords = rank(phrase, order, table);
  const ranked = isCertain(byWords) || isHopeless(byWords) ? byWords : await withMeaning(text, table, byWords, vectors, signal);
  return { decision: decide(phrase, order, ranked), ranked };
}
