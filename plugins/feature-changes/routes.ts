import { AppError, defineEndpoints, defineRoute, type ServicesWith } from "@pergola/sdk";
import { diffSchema, pageSchema, previewDiffSchema, revertSchema } from "./change-schemas.ts";
import { wirePage } from "./wire-change.ts";

type Available = ServicesWith<"changes">;

const runParameter = {
  runId: { type: "string", description: "A run, a call by hand (call_…), or a revert (rev_…)" },
} as const;

const paging = {
  limit: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "At most so many" },
  offset: { type: "integer", minimum: 0, default: 0, description: "How many to pass over" },
} as const;

const includeAgents = {
  type: "boolean",
  default: true,
  description: "Those of the run's sub-agents too",
} as const;

const texts = { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 } as const;

export const listChanges = defineRoute({
  method: "GET",
  path: "/api/changes",
  scope: "read",
  summary:
    "List what was changed in files in a conversation, the newest first, calls by hand and reverts too",
  query: {
    conversationId: { type: "string", description: "UUID or alias; required" },
    includeAgents: { ...includeAgents, default: false, description: "Those of its runs' sub-agents too" },
    ...paging,
  },
  response: pageSchema,
  failures: [],
  async handle({ query: { conversationId, includeAgents, ...page } }, { changes }: Available) {
    if (conversationId !== undefined)
      return { body: wirePage(await changes.list({ conversationId, includeAgents }, page)) };
    const message = "conversationId is missing.";
    throw new AppError({ code: "missing_field", message, param: "conversationId" });
  },
});

export const listRunChanges = defineRoute({
  method: "GET",
  path: "/api/runs/{runId}/changes",
  scope: "read",
  summary: "List what a run has changed in files, the newest first",
  params: runParameter,
  query: { includeAgents, ...paging },
  response: pageSchema,
  failures: [],
  handle: async ({ params, query: { includeAgents, ...page } }, { changes }: Available) => ({
    body: wirePage(await changes.list({ id: params.runId, includeAgents }, page)),
  }),
});

export const changeDiff = defineRoute({
  method: "GET",
  path: "/api/changes/{changeId}/diff",
  scope: "read",
  summary: "Show what a change has changed in a file, or what its revert would",
  params: { changeId: { type: "string", description: "chg_ and 32 hexadecimal digits" } },
  query: {
    against: {
      enum: ["run", "now"],
      default: "run",
      description: "From before to after; or from what stands there now to what a revert leaves",
    },
    whole: {
      type: "boolean",
      default: false,
      description: "With all lines around what changes, not three",
    },
  },
  response: diffSchema,
  failures: [],
  handle: async ({ params, query, caller }, { changes }: Available) => ({
    body: await changes.diff(params.changeId, query, caller),
  }),
});

export const previewDiff = defineRoute({
  method: "GET",
  path: "/api/approvals/{id}/diff",
  scope: "approve",
  summary: "Show a file that a call would change whole, with what it would change",
  params: { id: { type: "string", description: "Id of the approval or of the tool call" } },
  query: { path: { type: "string", description: "Path of a file in its preview; required" } },
  response: previewDiffSchema,
  failures: [],
  async handle({ params, query, caller }, { changes }: Available) {
    if (query.path !== undefined) return { body: await changes.previewDiff(params.id, query.path, caller) };
    throw new AppError({ code: "missing_field", message: "path is missing.", param: "path" });
  },
});

export const revertRun = defineRoute({
  method: "POST",
  path: "/api/runs/{runId}/revert",
  scope: "tools",
  summary: "Take back what a run has changed in files",
  strict: true,
  params: runParameter,
  body: {
    type: "object",
    examples: [{ dryRun: true }],
    properties: {
      paths: { ...texts, description: "Only these absolute paths, and what lies below" },
      changeIds: { ...texts, description: "Only these changes" },
      includeAgents,
      partial: {
        type: "boolean",
        default: false,
        description: "Do what can be done when something is refused; else nothing is",
      },
      dryRun: { type: "boolean", default: false, description: "Only say what would be done" },
    },
  },
  response: revertSchema,
  failures: ["in_use", "already_reverted", "wrong_host", "host_unavailable"],
  handle: async ({ params, body, caller }, { changes }: Available) => ({
    body: await changes.revert(params.runId, body, caller),
  }),
});

export const changes = defineEndpoints({
  group: "changes",
  needs: "changes",
  routes: [listChanges, listRunChanges, changeDiff, previewDiff, revertRun],
});
