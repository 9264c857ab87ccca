import { isObject, type Json, type JsonObject } from "@pergola/sdk";
import { keyOf, listOf, objectOf, withParameters, type EngineRequest, type SearchEngine } from "./engine.ts";
import { serpapiKinds, type SerpapiKind, type SerpapiName } from "./serpapi-kinds.ts";

/** SerpApi takes its key in the address only. */
export function serpapiRequest(
  name: SerpapiName,
  query: string,
  key: string,
  more: { readonly location?: string; readonly tbs?: string },
): EngineRequest {
  const { query: parameter, location }: SerpapiKind = serpapiKinds[name];
  return {
    url: withParameters("https://serpapi.com/search.json", {
      engine: name,
      [parameter]: query,
      ...(location !== undefined && { [location]: more.location }),
      tbs: more.tbs,
      api_key: key,
    }),
    headers: { accept: "application/json" },
  };
}

/** The results as SerpApi gives them. It calls it an error when there are none. */
export function serpapiResults(name: SerpapiName, body: string): readonly JsonObject[] {
  const answer = objectOf(body);
  const { list = "organic_results" }: SerpapiKind = serpapiKinds[name];
  const { error } = answer;
  if (typeof error === "string" && !/any results|no results/i.test(error))
    throw new Error(`it says: ${error.slice(0, 200)}`);
  return listOf(answer[list]);
}

/** A price as text: SerpApi gives text, a number, or an object that holds one of them. */
export function priceOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (!isObject(value)) return null;
  return priceOf(value["raw"] ?? value["from"] ?? value["offer_price"]);
}

export const addressOf = (name: SerpapiName, result: JsonObject): Json | undefined => {
  const { link = "link" }: SerpapiKind = serpapiKinds[name];
  return result[link] ?? result["link"];
};

/** How an engine is told to find only what is about a month old; bing cannot be. */
const recency = { google: { tbs: "qdr:m" }, bing: {} };

/** Web search by one of SerpApi's engines. */
const throughSerpapi = (name: string, kind: "google" | "bing"): SearchEngine => ({
  name,
  key: keyOf("serpapi"),
  request: ({ query, isRecent }, key) => serpapiRequest(kind, query, key, { ...(isRecent && recency[kind]) }),
  read: async (body) =>
    serpapiResults(kind, body).map((result) => ({
      title: result["title"],
      url: addressOf(kind, result),
      snippet: result["snippet"],
    })),
});

export const serpapi = throughSerpapi("serpapi", "google");
export const google = throughSerpapi("google", "google");
export const bing = throughSerpapi("bing", "bing");
