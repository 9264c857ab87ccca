import type { ToolContext } from "@pergola/sdk";
import type { SearchResult } from "../engines/engine.ts";
import { readPage } from "../page/read-page.ts";
import { credibility, hostOf } from "./credibility.ts";
import type { Kind } from "./plan.ts";

export interface ReadSource {
  readonly url: string;
  /** Two pages of one host are one voice. */
  readonly host: string;
  readonly title: string;
  readonly text: string;
  readonly credibility: number;
}

const atOnce = 4;
const pageSeconds = 20;

/** The page's text; where it cannot be read, what the search engine said of it. */
async function readSource(context: ToolContext, result: SearchResult, kind: Kind): Promise<ReadSource> {
  const page = await readPage(context, result.url, pageSeconds).catch((error: unknown) => {
    context.signal.throwIfAborted();
    context.log.info({ url: result.url, error }, "A source could not be read.");
    return { ...result, text: result.snippet, isSnippet: true };
  });
  const { url, title, text } = page;
  const facts = { isSnippet: false, ...page, kind };
  return { url, host: hostOf(url), title: title || result.title, text, credibility: credibility(facts) };
}

/** At most two results of one host, each address once. */
export function choose(results: readonly SearchResult[], most: number): readonly SearchResult[] {
  const perHost = new Map<string, number>();
  const chosen = new Map<string, SearchResult>();
  for (const result of results) {
    const count = perHost.get(hostOf(result.url)) ?? 0;
    if (count >= 2 || chosen.has(result.url) || chosen.size === most) continue;
    perHost.set(hostOf(result.url), count + 1);
    chosen.set(result.url, result);
  }
  return [...chosen.values()];
}

/** Reads the results' pages, four at a time, in their order. */
export async function readSources(
  context: ToolContext,
  results: readonly SearchResult[],
  kind: Kind,
): Promise<readonly ReadSource[]> {
  const sources: ReadSource[] = [];
  const waiting = [...results.entries()];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, result] = next;
      sources[at] = await readSource(context, result, kind);
      done += 1;
      context.progress(`Read ${done} of ${results.length}: ${hostOf(result.url)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return sources;
}
