import type { Json } from "@pergola/sdk";
import { oneLine } from "../reading/tidy.ts";
import type { FoundResult, SearchResult } from "./engine.ts";

const longest = { title: 300, snippet: 1000, url: 2000 } as const;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decoded(entity: string, name: string): string {
  if (!name.startsWith("#")) return entities[name] ?? entity;
  const point = Number(name.slice(1).replace(/^x/i, "0x"));
  if (point === 0 || point > 0x10ffff) return "";
  return String.fromCodePoint(point);
}

/** One line of text, without the tags and entities that some engines leave in it. */
export function lineOf(value: Json | undefined, most: number): string {
  if (typeof value !== "string") return "";
  const text = value
    .slice(0, 4 * most)
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, decoded);
  return [...oneLine(text)].slice(0, most).join("");
}

/** A complete http or https address, else undefined. */
export function webAddress(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value.length > longest.url || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (!/^https?:$/.test(url.protocol) || url.username !== "") return undefined;
  return url.href;
}

/** Results with a title and an address on the web, each address once, in the engine's order. */
export function cleanResults(found: readonly FoundResult[], most: number): readonly SearchResult[] {
  const results = new Map<string, SearchResult>();
  for (const { title, url, snippet } of found) {
    const [address, name] = [webAddress(url), lineOf(title, longest.title)];
    if (address === undefined || name === "" || results.has(address)) continue;
    results.set(address, { title: name, url: address, snippet: lineOf(snippet, longest.snippet) });
  }
  return [...results.values()].slice(0, most);
}
