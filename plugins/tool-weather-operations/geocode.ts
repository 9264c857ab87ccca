import { ToolError, type Json, type JsonObject, type ToolContext } from "@pergola/sdk";
import { askOpenMeteo, listOf } from "./open-meteo.ts";
import { usStates } from "./us-states.ts";

export interface Place {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

interface Candidate extends Place {
  /** Region and country, as they are shown and as they may be asked for. */
  readonly within: readonly string[];
  readonly qualifiers: ReadonlySet<string>;
  readonly population: number;
}

/** A place whose rival has at least this share of its inhabitants is not the obvious one. */
const rivalShare = 0.5;
const otherNames = new Map([
  ["usa", "united states"],
  ["us", "united states"],
  ["uk", "united kingdom"],
]);

/** Small letters without accents or full stops. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}.]/gu, "")
    .trim()
    .toLowerCase();

function candidateOf(entry: Json): readonly Candidate[] {
  const { name, latitude, longitude, population, country, country_code, admin1, admin2 } =
    entry as JsonObject;
  if (typeof name !== "string" || typeof latitude !== "number" || typeof longitude !== "number") return [];
  const texts = (values: readonly (Json | undefined)[]): string[] =>
    values.filter((value) => typeof value === "string");
  const within = texts([admin1, country]).filter((part) => part !== name);
  const qualifiers = new Set(texts([admin1, admin2, country, country_code]).map(fold));
  return [
    {
      name,
      latitude,
      longitude,
      within,
      qualifiers,
      population: Number(population) || 0,
    },
  ];
}

const titleOf = ({ name, within }: Candidate): string => [name, ...within].join(", ");

function isWithin({ qualifiers }: Candidate, region: string): boolean {
  const state = usStates.get(region);
  const isState = state !== undefined && qualifiers.has("us") && qualifiers.has(state);
  return isState || qualifiers.has(region) || qualifiers.has(otherNames.get(region) ?? "");
}

const titlesOf = (candidates: readonly Candidate[]): string =>
  [...new Set(candidates.map(titleOf))].slice(0, 6).join("; ");

/**
 * The candidate that is meant: the only one of that name, or by far the largest. Throws `ambiguous_match`.
 */
function choose(name: string, candidates: readonly [Candidate, ...Candidate[]]): Candidate {
  const exact = candidates.filter((candidate) => fold(candidate.name) === fold(name));
  const [best = candidates[0], ...others] = exact.toSorted((a, b) => b.population - a.population);
  const rivals = others.filter(
    (other) => titleOf(other) !== titleOf(best) && other.population >= best.population * rivalShare,
  );
  if (rivals.length === 0) return best;
  throw new ToolError("ambiguous_match", `There is more than one ${name}.`, {
    hint: `Say which one, with its region or country: ${titlesOf([best, ...rivals])}.`,
  });
}

/**
 * Finds a place by name; what follows a comma must be its region or country (`Portland, OR`; `Paris,
 * France`). Throws ToolError `not_found` or `ambiguous_match`, naming the places there are, and what
 * `askOpenMeteo` throws.
 */
export async function geocode(context: ToolContext, text: string): Promise<Place> {
  const [name = "", ...qualifiers] = text.split(",").map((part) => part.trim());
  const answer = await askOpenMeteo(context, "geocoder", {
    name,
    count: 20,
    language: "en",
    format: "json",
  });
  const found = listOf(answer["results"]).flatMap(candidateOf);
  if (found.length === 0)
    throw new ToolError("not_found", `There is no place "${text}".`, {
      hint: "Check the spelling, put a comma before a region or country, or give latitude and longitude.",
    });
  const [first, ...others] = found.filter((candidate) =>
    qualifiers.every((part) => part === "" || isWithin(candidate, fold(part))),
  );
  if (first === undefined)
    throw new ToolError("not_found", `There is no "${text}".`, { hint: `There are: ${titlesOf(found)}.` });
  const best = choose(name, [first, ...others]);
  const { latitude, longitude } = best;
  return { name: titleOf(best), latitude, longitude };
}
