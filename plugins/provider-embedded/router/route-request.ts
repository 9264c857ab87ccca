import { AppError, type OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { findDates } from "../marks/dates.ts";
import { type Order, readOrder } from "../phrase/order.ts";
import { type Phrase, plainText, readPhrase } from "../phrase/phrase.ts";
import { catalogueOf, type Route } from "./catalogue.ts";
import { isBare } from "./circumstances.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { meaningOf } from "./meaning.ts";
import { type Candidate, rank, type RoutingTable, routingTable } from "./rank.ts";
import { floors } from "./weights.ts";

/** How many routes the sentence embedding looks at: the likeliest by their words. */
const shortlist = 8;

/** What a request is routed with. */
export interface Means {
  readonly tools: readonly OfferedTool[];
  readonly vectors: VectorCache;
  readonly signal: AbortSignal;
  /** The person's wall clock, for words such as "tomorrow" (see `findDates`). */
  readonly now: number;
}

export interface Routed {
  readonly decision: Decision;
  /** The likeliest routes, the best first. */
  readonly ranked: readonly Candidate[];
}

/** Certain from the words alone: well ahead, complete, and nothing that was given is left over. */
function isCertain(phrase: Phrase, order: Order, [best, next]: readonly Candidate[]): boolean {
  if (best === undefined || best.score < floors.certain || isBare(phrase, order, best.route)) return false;
  const { missing, leftover, loose } = best.filling;
  if (missing.length + leftover.length + loose.length > 0) return false;
  return next === undefined || best.score - next.score >= floors.lead + best.preferred;
}

const isHopeless = (ranked: readonly Candidate[]): boolean => (ranked[0]?.score ?? 0) < floors.hopeless;

/** Ranks the likeliest again with the meaning of the sentence. Without an embedding model the words must do. */
async function withMeaning(
  phrase: Phrase,
  order: Order,
  table: RoutingTable,
  ranked: readonly Candidate[],
  { vectors, signal }: Means,
): Promise<readonly Candidate[]> {
  const routes = ranked.slice(0, shortlist).map(({ route }) => route);
  try {
    return rank(phrase, order, { ...table, routes }, await meaningOf(phrase, routes, vectors, signal));
  } catch (error) {
    if (signal.aborted || !AppError.is(error)) throw error;
    return ranked;
  }
}

const takesDates = (routes: readonly Route[]): boolean => routes.some(({ slots }) => slots.some(({ kind }) => kind === "date"));

/** Finds what a request asks for among the offered tools: by words first, by meaning where they leave a doubt. */
export async function routeRequest(text: string, means: Means): Promise<Routed> {
  const table = routingTable(catalogueOf(means.tools));
  const phrase = readPhrase(text, takesDates(table.routes) ? await findDates(plainText(text), means.now) : []);
  const order = readOrder(phrase);
  const byWords = rank(phrase, order, table);
  const isSettled = isCertain(phrase, order, byWords) || isHopeless(byWords);
  const ranked = isSettled ? byWords : await withMeaning(phrase, order, table, byWords, means);
  return { decision: decide(phrase, order, ranked), ranked };
}
