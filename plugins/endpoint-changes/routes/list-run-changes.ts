import type { Route } from "@pergola/sdk";
import { changesOf } from "../changes-of.ts";
import { includeAgents, pageSchema, paging, runParameter } from "../schemas.ts";
import { wirePage } from "../wire-change.ts";

interface Query {
  readonly includeAgents: boolean;
  readonly limit: number;
  readonly offset: number;
}

export const listRunChanges: Route = {
  method: "GET",
  path: "/api/runs/{runId}/changes",
  summary: "List what a run has changed in files, the newest first",
  params: runParameter,
  query: { includeAgents, ...paging },
  response: pageSchema,
  async handle({ params, query }, services) {
    const { includeAgents: agents, limit, offset } = query as unknown as Query;
    const of = { id: params["runId"] ?? "", includeAgents: agents };
    return { body: wirePage(await changesOf(services).list(of, { limit, offset })) };
  },
};
