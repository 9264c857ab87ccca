import { messageOf, stringOf, ToolError, type ToolContext } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { fetchAnswer } from "../page/fetch-answer.ts";
import { cleanResults } from "./clean-results.ts";
import type { SearchEngine, SearchRequest, SearchResult } from "./engine.ts";
import { engines } from "./engines.ts";

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

/** An engine's key or address; "" when it needs one that is not set up. */
async function accessTo({ key, address }: SearchEngine, context: ToolContext): Promise<string> {
  if (key !== undefined) return (await context.secret(key)) ?? "";
  if (address !== undefined) return stringOf(await context.preference(address));
  return "-";
}

/** The engines of this name that are set up, with their address or key. */
async function readyEngines(context: ToolContext, name: string): Promise<readonly Ready[]> {
  const candidates = [engines[name] ?? []].flat();
  const all = candidates.map(async (engine) => ({ engine, access: await accessTo(engine, context) }));
  const ready = (await Promise.all(all)).filter(({ access }) => access !== "");
  if (ready.length > 0) return ready;
  throw new ToolError("unavailable", `The search engine ${name} is not set up.`, {
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
  preferred: string,
  request: SearchRequest,
  timeoutSeconds: number,
): Promise<Found> {
  const failures: string[] = [];
  for (const ready of await readyEngines(context, preferred)) {
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
  const preferred = stringOf(await context.preference("tools.web.search_engine")) || "auto";
  return cached(context, ["search", preferred, { ...request }], () =>
    askInTurn(context, preferred, request, timeoutSeconds),
  );
}
