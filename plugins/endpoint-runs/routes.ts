import { defineEndpoints, defineRoute, pageQuery, wireRun } from "@pergola/sdk";
import { explainRun } from "./explain-route.ts";
import { runParameter } from "./run-parameter.ts";
import { cassetteSchema } from "./cassette-schema.ts";
import { getUsage } from "./usage-route.ts";

const text = { type: "string" } as const;
const costOrNull = { type: ["number", "null"] } as const;
const textOrNull = { type: ["string", "null"] } as const;
const count = { type: "integer" } as const;
const texts = { type: "array", items: text } as const;

const runStates = ["queued", "running", "waiting", "interrupted", "ended"] as const;
const runKinds = ["chat", "autonomous", "subagent"] as const;

/** A run on the wire. */
export const runSchema = {
  title: "Run",
  type: "object",
  required: [
    "id",
    "conversationId",
    "kind",
    "status",
    "completion_reason",
    "model",
    "had_errors",
    "error",
    "usage",
  ],
  properties: {
    id: text,
    conversationId: text,
    parentRunId: textOrNull,
    kind: { enum: runKinds },
    status: { enum: runStates },
    completion_reason: { ...textOrNull, description: "null until the run has ended" },
    model: text,
    provider: text,
    iterations: count,
    max_iterations: count,
    tool_call_count: count,
    tools_used: texts,
    had_errors: { type: "boolean" },
    error: { type: ["object", "null"], properties: { message: text, type: text, code: text } },
    usage: {
      type: "object",
      properties: {
        prompt_tokens: count,
        completion_tokens: count,
        total_tokens: count,
        prompt_tokens_details: { type: "object", properties: { cached_tokens: count } },
        completion_tokens_details: { type: "object", properties: { reasoning_tokens: count } },
      },
    },
    costUsd: { ...costOrNull, description: "null where a model without known prices has answered" },
    pendingToolCallIds: texts,
    createdAt: text,
    startedAt: textOrNull,
    endedAt: textOrNull,
  },
} as const;

export const listRuns = defineRoute({
  method: "GET",
  path: "/api/runs",
  scope: "read",
  summary: "List runs, the newest first",
  query: {
    conversationId: { type: "string", description: "UUID or alias" },
    status: { enum: runStates, description: "Those that stand so" },
    kind: { enum: runKinds, description: "Those of this kind" },
    from: { type: "string", format: "date-time", description: "Those that were made then or later" },
    ...pageQuery,
  },
  response: {
    type: "object",
    properties: { runs: { type: "array", items: runSchema }, count },
  },
  failures: [],
  async handle({ query: { conversationId, status, kind, from, limit, offset } }, { runs }) {
    const since = from && new Date(from).toISOString();
    const { items, count } = await runs.list({ conversationId, status, kind, from: since, limit, offset });
    return { body: { runs: items.map(wireRun), count } };
  },
});

export const getRun = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}",
  scope: "read",
  summary: "Show a run",
  params: runParameter,
  response: runSchema,
  failures: [],
  handle: async ({ params }, { runs }) => ({ body: wireRun(await runs.get(params.runId)) }),
});

/** Cancels a run; it is answered once the wish is recorded, which may be before the run has stopped. */
export const cancelRun = defineRoute({
  method: "DELETE",
  path: "/api/runs/{runId}",
  scope: "chat",
  summary: "Cancel a run",
  params: runParameter,
  answers: {
    202: {
      "application/json": {
        type: "object",
        properties: { success: { const: true }, runId: text, status: { enum: runStates } },
      },
    },
  },
  failures: ["run_ended"],
  async handle({ params }, { runs }) {
    const { id: runId, status } = await runs.cancel(params.runId);
    return { status: 202, body: { success: true, runId, status } };
  },
});

export const cancelRunByPost = { ...cancelRun, method: "POST", path: "/api/runs/{runId}/cancel" } as const;

export const resumeRun = defineRoute({
  method: "POST",
  path: "/api/runs/{runId}/resume",
  scope: "chat",
  summary: "Go on with a run that the service's stop has interrupted",
  params: runParameter,
  response: runSchema,
  failures: ["not_resumable", "conversation_busy", "no_provider", "wrong_host", "host_unavailable"],
  handle: async ({ params }, { runs }) => ({ body: wireRun(await runs.resume(params.runId)) }),
});

export const getCassette = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/cassette",
  scope: "read",
  summary: "Show an ended run as data that a test can replay, without secrets",
  params: runParameter,
  response: cassetteSchema,
  failures: ["run_not_ended", "invalid_value"],
  handle: async ({ params }, { runs }) => ({ body: await runs.cassette(params.runId) }),
});

export const runs = defineEndpoints({
  group: "runs",
  routes: [listRuns, getRun, cancelRun, cancelRunByPost, resumeRun, explainRun, getCassette, getUsage],
});
