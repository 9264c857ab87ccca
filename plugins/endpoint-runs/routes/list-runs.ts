import { wireRun, type Route } from "@pergola/sdk";
import { runKinds, runSchema, runStates } from "../schemas.ts";

interface Query {
  readonly conversationId?: string;
  readonly status?: string;
  readonly kind?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export const listRuns: Route = {
  method: "GET",
  path: "/api/runs",
  summary: "List runs, the newest first",
  query: {
    conversationId: { type: "string", description: "UUID or alias" },
    status: { enum: runStates },
    kind: { enum: runKinds },
    limit: { type: "integer", minimum: 1, maximum: 1000, description: "Without it, all" },
    offset: { type: "integer", minimum: 0, default: 0 },
  },
  response: {
    type: "object",
    properties: { runs: { type: "array", items: runSchema }, count: { type: "integer" } },
  },
  async handle({ query }, { runs }) {
    const { conversationId, status, kind, limit, offset } = query as Query;
    const { items, count } = await runs.list({ conversationId, status, kind, limit, offset });
    return { body: { runs: items.map(wireRun), count } };
  },
};
