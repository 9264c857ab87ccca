import { defineRoute } from "@pergola/sdk";

const count = { type: "integer" } as const;
const time = { type: "string", format: "date-time" } as const;
const groupings = ["none", "day", "model", "provider", "conversation"] as const;

const figures = {
  runs: count,
  promptTokens: count,
  completionTokens: count,
  costUsd: {
    type: ["number", "null"],
    description: "Of the runs with known prices; null where there are runs, and none of them has",
  },
  runsWithoutPrice: { ...count, description: "Runs in which a model without known prices has answered" },
  runsEstimated: { ...count, description: "Runs for which not every provider has counted the tokens" },
} as const;

const figureNames = Object.keys(figures);

const month = 30 * 24 * 60 * 60 * 1000;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const getUsage = defineRoute({
  method: "GET",
  path: "/api/usage",
  scope: "read",
  summary: "Add up the tokens and the costs of runs",
  description:
    "Counted are the runs that were made in the span; a run's sub-agents are in its figures. Runs that " +
    "runs.retention_days has removed are not counted any more.",
  query: {
    from: { ...time, description: "Default: 30 days before `to`" },
    to: { ...time, description: "Exclusive; default: now" },
    conversationId: { type: "string", description: "UUID or alias" },
    groupBy: { enum: groupings, default: "none", description: "Days are those of UTC" },
  },
  response: {
    title: "UsageReport",
    type: "object",
    required: ["from", "to", "total", "groups"],
    properties: {
      from: time,
      to: time,
      total: { title: "UsageFigures", type: "object", required: figureNames, properties: figures },
      groups: {
        type: "array",
        description: "Days in their order; else the most tokens first",
        items: {
          type: "object",
          required: ["key", ...figureNames],
          properties: {
            key: { type: "string", description: "The day, or the id of the model, provider or conversation" },
            ...figures,
          },
        },
      },
    },
  },
  failures: [],
  async handle({ query: { groupBy, conversationId, ...span } }, { runs }) {
    const end = span.to === undefined ? Date.now() : Date.parse(span.to);
    const start = span.from === undefined ? end - month : Date.parse(span.from);
    const [from, to] = [iso(start), iso(end)];
    return { body: { from, to, ...(await runs.usage({ from, to, conversationId, groupBy })) } };
  },
});
