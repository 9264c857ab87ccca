import { countOf, defined, defineOperation, toolDisplay, ToolError, type ToolContext } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { lineOf, webAddress } from "../engines/clean-results.ts";
import { keyOf } from "../engines/engine.ts";
import { serpapiKinds, type SerpapiKind, type SerpapiName } from "../engines/serpapi-kinds.ts";
import { addressOf, priceOf, serpapiRequest, serpapiResults } from "../engines/serpapi.ts";
import { asData } from "../messages.ts";
import { fetchAnswer } from "../page/fetch-answer.ts";
import { query } from "../parameters.ts";

const names = Object.keys(serpapiKinds) as readonly SerpapiName[];

async function keyIn(context: ToolContext): Promise<string> {
  const key = await context.secret(keyOf("serpapi"));
  if (key !== undefined) return key;
  throw new ToolError("unavailable", "SerpApi has no key.", {
    hint: "The operator can set tools.web.search_keys.serpapi. The operation search works without it.",
  });
}

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

async function ask(context: ToolContext, engine: SerpapiName, query: string, location: string | undefined) {
  const key = await keyIn(context);
  const { url, ...init } = serpapiRequest(engine, query, key, defined({ location }));
  const body = await (await fetchAnswer(context, url, { timeoutSeconds: 60, ...init })).text();
  return serpapiResults(engine, body).map((result) => ({
    title: lineOf(result["title"], 300),
    url: webAddress(addressOf(engine, result)) ?? null,
    snippet: lineOf(result["snippet"] ?? result["description"], 1000),
    price: priceOf(result["price"] ?? result["primary_offer"]),
    rating: numberOrNull(result["rating"]),
    reviews: numberOrNull(result["reviews"]),
  }));
}

export const serpapi = defineOperation({
  name: "serpapi",
  description: "Search shops, places or the web through SerpApi.",
  hidden: true,
  effect: "read",
  parameters: {
    query,
    engine: { enum: names, default: "google" },
    location: { type: "string", minLength: 1 },
  },
  required: ["query"],
  display: (args) => toolDisplay(`Search ${args.engine}`, args.query, "search"),
  async run({ query: text, engine, location }, context) {
    const kind: SerpapiKind = serpapiKinds[engine];
    if (kind.needsLocation === true && location === undefined)
      throw new ToolError("missing_required", `${engine} needs a location.`, {
        hint: "Give location, such as a city.",
      });
    const results = await cached(context, ["serpapi", engine, text, location ?? null], () =>
      ask(context, engine, text, location),
    );
    const notes = [
      `${countOf(results.length, "result")}.`,
      location !== undefined && kind.location === undefined && `${engine} takes no location.`,
      asData,
    ];
    return { data: { results, engine }, message: notes.filter(Boolean).join(" ") };
  },
});
