import { isObject, type FetchInit, type Json, type JsonObject } from "@pergola/sdk";

export type SearchResult = {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
};

export interface SearchRequest {
  readonly query: string;
  readonly maxResults: number;
  /** Only what is about a month old or younger. */
  readonly isRecent: boolean;
}

export interface EngineRequest extends FetchInit {
  readonly url: string;
}

/** What an engine's answer looks like before it is cleaned: anything may be missing or of another type. */
export interface FoundResult {
  readonly title?: Json | undefined;
  readonly url?: Json | undefined;
  readonly snippet?: Json | undefined;
}

/**
 * A search engine: how it is asked, and what its answer says. Another engine is another file like these, and
 * a line in `engines.ts`.
 */
export interface SearchEngine {
  readonly name: string;
  /**
   * Where its access is set up: a preference that holds its address, or a secret that holds its key; absent =
   * needs neither.
   */
  readonly address?: string;
  readonly key?: string;
  /** `access` is the address or the key. */
  request(request: SearchRequest, access: string): EngineRequest;
  /** Throws an Error whose message says in a few words why the answer is none. */
  read(body: string, signal: AbortSignal): Promise<readonly FoundResult[]>;
}

export const keyOf = (engine: string): string => `tools.web.search_keys.${engine}`;

/** An address with these parameters; those that are undefined are left out. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** The JSON object of a body; throws when it is none. */
export function objectOf(body: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw new Error("it answered with something else than JSON", { cause });
  }
  if (isObject(value)) return value as JsonObject;
  throw new Error("it answered with JSON of another form");
}

/** The objects of a list; a value that is no list stands for a list of it alone. */
export const listOf = (value: Json | undefined): readonly JsonObject[] =>
  [value].flat().filter((item): item is JsonObject => isObject(item));

/** Results as most engines give them: a list whose items have the fields `title`, `url` and one of text. */
export const resultsOf = (list: Json | undefined, textField: string): readonly FoundResult[] =>
  listOf(list).map((item) => ({ title: item["title"], url: item["url"], snippet: item[textField] }));
