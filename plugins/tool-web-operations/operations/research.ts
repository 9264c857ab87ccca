import { countOf, defineOperation, toolDisplay, type ToolContext } from "@pergola/sdk";
import { cached } from "../cached.ts";
import { searchWeb } from "../engines/search-web.ts";
import type { SearchResult } from "../engines/engine.ts";
import { asData } from "../messages.ts";
import { query } from "../parameters.ts";
import { findAgreement } from "../research/find-agreement.ts";
import { findingOf, overall } from "../research/findings.ts";
import { depths, kinds, planResearch, type Depth, type Kind, type Plan } from "../research/plan.ts";
import { rankSentences } from "../research/rank-sentences.ts";
import { choose, readSources, type ReadSource } from "../research/read-sources.ts";
import { remember } from "../research/remember.ts";

const nameOfFindings: Readonly<Record<Kind, string>> = {
  general: "key_findings",
  news: "articles",
  technical: "solutions",
};
const searchSeconds = 30;
const topSources = 5;

async function searchAll(
  context: ToolContext,
  { queries, isRecent, sources }: Plan,
): Promise<readonly SearchResult[]> {
  const results: SearchResult[] = [];
  for (const text of queries) {
    context.progress(`Searching the web: ${text}`);
    const request = { query: text, maxResults: sources * 2, isRecent };
    results.push(...(await searchWeb(context, request, searchSeconds)).results);
  }
  return choose(results, sources);
}

const top = (sources: readonly ReadSource[]) =>
  sources
    .toSorted((one, other) => other.credibility - one.credibility)
    .slice(0, topSources)
    .map(({ title, url, credibility }) => ({ title, url, credibility_score: credibility }));

async function investigate(context: ToolContext, topic: string, depth: Depth, kind: Kind) {
  const plan = planResearch(topic, depth, kind);
  const sources = await readSources(context, await searchAll(context, plan), kind);
  context.progress(`Comparing ${countOf(sources.length, "source")}`);
  const groups = findAgreement(await rankSentences(context, topic, sources), plan.findings);
  const findings = groups.map((group) => findingOf(group, kind));
  const isStored = await remember(context, topic, kind, findings);
  const data = {
    type: kind,
    topic,
    conducted_at: new Date(context.clock.now()).toISOString(),
    source_count: sources.length,
    confidence: overall(findings),
    research_depth: depth,
    [nameOfFindings[kind]]: findings,
    top_sources: top(sources),
  };
  const read = `${countOf(sources.length, "source")} read.`;
  if (findings.length === 0)
    return { data, message: `${read} Nothing that answers the question was found. Try other words.` };
  const stored = isStored && "They are kept in memory.";
  const notes = [read, `${countOf(findings.length, "finding")}.`, stored, asData];
  return { data, message: notes.filter(Boolean).join(" ") };
}

export const research = defineOperation({
  name: "research",
  aliases: ["web_research"],
  description: "Read several sources on a question and compare what they say.",
  effect: "read",
  parameters: {
    query: { ...query, aliases: ["topic"] },
    depth: { enum: depths, default: "standard" },
    type: { enum: kinds, default: "general" },
  },
  required: ["query"],
  display: (args) => toolDisplay("Research", args.query, "search", [`${args.depth}, ${args.type}`]),
  examples: [
    {
      say: "research the effects of caffeine on sleep",
      arguments: { query: "effects of caffeine on sleep" },
    },
    {
      say: "do comprehensive research on heat pumps",
      arguments: { query: "heat pumps", depth: "comprehensive" },
    },
    {
      say: "what is the latest news about fusion energy?",
      arguments: { query: "fusion energy", type: "news" },
    },
    {
      say: "research how to fix EADDRINUSE in Node.js",
      arguments: { query: "fix EADDRINUSE in Node.js", type: "technical" },
    },
    { say: "investigate why the bees are dying", arguments: { query: "why the bees are dying" } },
    { say: "is there any news on the rail strike?", arguments: { query: "rail strike", type: "news" } },
    { say: "what do experts say about screen time?", arguments: { query: "screen time" } },
    { say: "do a bit of research on insulation", arguments: { query: "insulation" } },
    {
      say: "find out from several sources whether honey spoils",
      arguments: { query: "whether honey spoils" },
    },
    { say: "any news about the election?", arguments: { query: "election", type: "news" } },
    { say: "compare what some websites say about olive oil", arguments: { query: "olive oil" } },
    {
      say: "compare sources on whether coffee is healthy",
      arguments: { query: "whether coffee is healthy" },
    },
    { say: "what do several sources say about cold showers?", arguments: { query: "cold showers" } },
  ],
  run: ({ query: topic, depth, type }, context) =>
    cached(context, ["research", topic, depth, type], () => investigate(context, topic, depth, type)),
});
