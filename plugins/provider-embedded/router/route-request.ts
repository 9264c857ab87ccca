import { AppError, type OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { findDates } from "../marks/dates.ts";
import type { Mark } from "../marks/mark.ts";
import { readOrder } from "../phrase/order.ts";
import { type Phrase, plainText, readPhrase } from "../phrase/phrase.ts";
import { catalogueOf, type Route } from "./catalogue.ts";
import { isBare } from "./circumstances.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { meaningOf } from "./meaning.ts";
import {
  type Candidate,
  rank,
  type Reading,
  type Readings,
  type RoutingTable,
  routingTable,
} from "./rank.ts";
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
function isCertain([best, next]: readonly Candidate[]): boolean {
  if (best === undefined || best.score < floors.certain || isBare(best.phrase, best.order, best.route))
    return false;
  const { missing, leftover, loose } = best.filling;
  if (missing.length + leftover.length + loose.length > 0) return false;
  return next === undefined || best.score - next.score >= floors.lead + best.preferred;
}

const isHopeless = (ranked: readonly Candidate[]): boolean => (ranked[0]?.score ?? 0) < floors.hopeless;

/**
 * Ranks the likeliest again with the meaning of the sentence. Without an embedding model the words must do.
 */
async function withMeaning(
  readings: Readings,
  table: RoutingTable,
  ranked: readonly Candidate[],
  { vectors, signal }: Means,
): Promise<readonly Candidate[]> {
  const routes = ranked.slice(0, shortlist).map(({ route }) => route);
  try {
    return rank(
      readings,
      { ...table, routes },
      await meaningOf(readings.plain.phrase, routes, vectors, signal),
    );
  } catch (error) {
    if (signal.aborted || !AppError.is(error)) throw error;
    return ranked;
  }
}

const takesDates = (routes: readonly Route[]): boolean =>
  routes.some(({ slots }) => slots.some(({ kind }) => kind === "date"));

/** Dates that stand on their own: not in a file name, a quoted text or the like, and more than "now". */
const withoutMarked = (dates: readonly Mark[], { text, marks }: Phrase): readonly Mark[] =>
  dates.filter(
    ({ start, end }) =>
      !/^(?:right )?now$/i.test(text.slice(start, end)) &&
      !marks.some(
        (mark) => mark.kind !== "number" && mark.loose !== true && mark.start < end && start < mark.end,
      ),
  );

const readingOf = (phrase: Phrase): Reading => ({ phrase, order: readOrder(phrase) });

/**
 * Finds what a request asks for among the offered tools: by words first, by meaning where they leave a doubt.
 */
export async function routeRequest(text: string, means: Means): Promise<Routed> {
  const table = routingTable(catalogueOf(means.tools));
  const phrase = readPhrase(text);
  const dates = takesDates(table.routes) ? await findDates(plainText(text), means.now) : [];
  const plain = readingOf(phrase);
  const readings: Readings = {
    plain,
    dated: dates.length === 0 ? plain : readingOf(readPhrase(text, withoutMarked(dates, phrase))),
  };
  const byWords = rank(readings, table);
  const isSettled = isCertain(byWords) || isHopeless(byWords);
  const ranked = isSettled ? byWords : await withMeaning(readings, table, byWords, means);
  return { decision: decide(ranked), ranked };
}
