import { defined, type Collection, type Stored } from "@pergola/sdk";
import {
  costUsd,
  sumOfCost,
  type Parts,
  type StoredRun,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "@pergola/sdk/host";

/** Runs read at a time. */
const pageSize = 200;

const none: UsageFigures = {
  runs: 0,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  runsWithoutPrice: 0,
  runsEstimated: 0,
};

function withRun(sum: UsageFigures, run: StoredRun): UsageFigures {
  const cost = costUsd(run);
  return {
    runs: sum.runs + 1,
    promptTokens: sum.promptTokens + run.usage.promptTokens,
    completionTokens: sum.completionTokens + run.usage.completionTokens,
    costUsd: sumOfCost(sum.costUsd ?? 0, cost ?? 0),
    runsWithoutPrice: sum.runsWithoutPrice + (cost === null ? 1 : 0),
    runsEstimated: sum.runsEstimated + (run.isEstimated === true ? 1 : 0),
  };
}

/** A sum of which nothing is known is not nothing. */
function honest(sum: UsageFigures): UsageFigures {
  if (sum.runs === 0 || sum.runsWithoutPrice < sum.runs) return sum;
  return { ...sum, costUsd: null };
}

const keys: Readonly<Record<UsageQuery["groupBy"], (run: StoredRun) => string | undefined>> = {
  none: () => undefined,
  day: ({ createdAt }) => createdAt.slice(0, 10),
  model: ({ model }) => model,
  provider: ({ provider }) => provider,
  conversation: ({ conversationId }) => conversationId,
};

const tokensOf = ({ promptTokens, completionTokens }: UsageFigures): number =>
  promptTokens + completionTokens;

/**
 * Adds up what runs have used. They are read a page at a time; sub-agents are in the figures of the runs
 * above them.
 */
export async function addUpUsage(
  { conversations, stores: { runs } }: Parts,
  { groupBy, ...query }: UsageQuery,
): Promise<UsageReport> {
  const conversationId = query.conversationId && conversations.idOf(query.conversationId);
  const keyOf = keys[groupBy];
  const groups = new Map<string, UsageFigures>();
  let total = none;
  for await (const run of eachRun(runs, { ...query, conversationId })) {
    if (run.parentRunId !== null) continue;
    total = withRun(total, run);
    const key = keyOf(run);
    if (key !== undefined) groups.set(key, withRun(groups.get(key) ?? none, run));
  }
  const listed = [...groups].map(([key, sum]) => ({ key, ...honest(sum) }));
  if (groupBy !== "day") listed.sort((a, b) => tokensOf(b) - tokensOf(a));
  return { total: honest(total), groups: listed };
}

async function* eachRun(
  runs: Collection<StoredRun>,
  { from, to, conversationId }: Omit<UsageQuery, "groupBy">,
): AsyncGenerator<StoredRun> {
  const filter = defined({ conversationId, createdAt: { gte: from, lt: to } });
  let after: Stored<StoredRun> | undefined;
  for (;;) {
    const options = { order: "createdAt", limit: pageSize, ...defined({ after }) } as const;
    const page = await runs.find(filter, options);
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}
