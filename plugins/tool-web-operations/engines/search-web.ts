import { messageOf, stringOf, ToolError, type ToolContext } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { fetchAnswer } from "../page/fetch-answer.ts";
import { cleanResults } from "./clean-results.ts";
import type { SearchEngine, SearchRequest, SearchResult } from "./engine.ts";
import { automatic, engines } from "./engines.ts";

export interface Found {
  readonly results: readonly SearchResult[];
  /** The engine that answered. */
  readonly engine: string;
}

const largestAnswer = 4 * 2 ** 20;

interface Ready {
  readonly engine: SearchEngine;
  readonly access: string;
}

const setUp = "The operator can set tools.web.searxng_url, or a key in tools.web.search_keys.";

/** The engines that are set up, with their address or key. */
async function readyEngines(context: ToolContext, wanted: string): Promise<readonly Ready[]> {
  const asked = wanted === "auto" ? automatic : [engines[wanted]].filter((engine) => engine !== undefined);
  const all = asked.map(async (engine) => {
    const address = engine.address && (await context.preference(engine.address));
    const access = engine.key === undefined ? address : await context.secret(engine.key);
    const isFree = engine.key === undefined && engine.address === undefined;
    return { engine, access: isFree ? "-" : stringOf(access) };
  });
  const ready = (await Promise.all(all)).filter(({ access }) => access !== "");
  if (ready.length > 0) return ready;
  throw new ToolError("unavailable", `The search engine ${wanted} is not set up.`, {
    hint: `${setUp} Addresses can be fetched without it.`,
  });
}

async function ask(
  { engine, access }: Ready,
  request: SearchRequest,
  timeoutSeconds: number,
  context: ToolContext,
) {
  const { url, ...init } = engine.request(request, access);
  const response = await fetchAnswer(context, url, { timeoutSeconds, maxBytes: largestAnswer, ...init });
  return cleanResults(await engine.read(await response.text(), context.signal), request.maxResults);
}

/** One engine after the other until one answers. */
async function askInTurn(
  context: ToolContext,
  wanted: string,
  request: SearchRequest,
  timeoutSeconds: number,
): Promise<Found> {
  const failures: string[] = [];
  for (const ready of await readyEngines(context, wanted)) {
    const { name } = ready.engine;
    try {
      return { results: await ask(ready, request, timeoutSeconds, context), engine: name };
    } catch (error) {
      context.signal.throwIfAborted();
      failures.push(`${name}: ${messageOf(error).replace(/\.$/, "")}`);
      context.log.warn({ engine: name, error: failures.at(-1) }, "A search engine did not answer.");
    }
  }
  throw new ToolError("network_error", `No search engine answered (${failures.join("; ")}).`, {
    hint: `A retry may help in some minutes; or fetch an address that is known. ${setUp}`,
  });
}

/**
 * Searches the web by the preferred engine; the same search is answered from memory for some seconds. Throws
 * `unavailable` or `network_error`.
 */
export async function searchWeb(
  context: ToolContext,
  request: SearchRequest,
  timeoutSeconds: number,
): Promise<Found> {
  const preferred = await context.preference("tools.web.search_engine");
  const wanted = typeof preferred === "string" ? preferred : "auto";
  return cached(context, ["search", wanted, { ...request }], () =>
    askInTurn(context, wanted, request, timeoutSeconds),
  );
}
