import {
  answerProperties,
  defineEndpoints,
  defineRoute,
  readAnswer,
  successSchema,
  wireAnswer,
} from "@pergola/sdk";
import { approvalSchema, grantSchema, text, wireApproval, wireGrant } from "./wire-approval.ts";

export const listApprovals = defineRoute({
  method: "GET",
  path: "/api/approvals",
  scope: "approve",
  summary: "List questions to the person, the oldest first",
  query: {
    status: {
      enum: ["pending", "answered", "expired", "cancelled", "all"],
      default: "pending",
      description: "Where they stand",
    },
    conversationId: { type: "string", description: "UUID or alias" },
    runId: { ...text, description: "Those of this run" },
  },
  response: {
    type: "object",
    properties: { approvals: { type: "array", items: approvalSchema }, count: { type: "integer" } },
  },
  failures: [],
  async handle({ query: { status, conversationId, runId } }, { approvals }) {
    const filter = status === "all" ? undefined : status;
    const { items, count } = await approvals.list({ status: filter, conversationId, runId });
    return { body: { approvals: items.map(wireApproval), count } };
  },
});

const approvalParameter = {
  id: { type: "string", description: "Id of the approval or of the tool call" },
} as const;

export const getApproval = defineRoute({
  method: "GET",
  path: "/api/approvals/{id}",
  scope: "approve",
  summary: "Show a question to the person",
  params: approvalParameter,
  response: approvalSchema,
  failures: [],
  handle: async ({ params }, { approvals }) => ({
    body: wireApproval(await approvals.get(params.id)),
  }),
});

export const answerApproval = defineRoute({
  method: "POST",
  path: "/api/approvals/{id}",
  scope: "approve",
  summary: "Answer a question; the first answer counts",
  strict: true,
  params: approvalParameter,
  body: {
    type: "object",
    properties: answerProperties,
    examples: [{ approved: true, grant: "conversation" }],
  },
  response: {
    type: "object",
    properties: {
      success: { const: true },
      toolCallId: text,
      conversationId: text,
      status: { const: "answered" },
      decision: { enum: ["approved", "denied", "text"] },
      message: text,
    },
  },
  failures: ["already_answered"],
  handle: async ({ params, body, caller }, { approvals }) => ({
    body: wireAnswer(await approvals.answer(params.id, readAnswer(body), body.conversationId, caller)),
  }),
});

export const listGrants = defineRoute({
  method: "GET",
  path: "/api/grants",
  scope: "approve",
  summary: "List the permissions that answers have left",
  query: { conversationId: { type: "string", description: "UUID or alias; without it, those of all" } },
  response: {
    type: "object",
    properties: { grants: { type: "array", items: grantSchema }, count: { type: "integer" } },
  },
  failures: [],
  async handle({ query }, { approvals }) {
    const { items, count } = await approvals.grants(query.conversationId);
    return { body: { grants: items.map(wireGrant), count } };
  },
});

export const revokeGrant = defineRoute({
  method: "DELETE",
  path: "/api/grants/{id}",
  scope: "approve",
  summary: "Take a permission back; calls that have begun go on",
  params: { id: { ...text, description: "Id of the permission" } },
  response: successSchema,
  failures: [],
  async handle({ params }, { approvals }) {
    await approvals.revoke(params.id);
    return { body: { success: true } };
  },
});

export const approvals = defineEndpoints({
  group: "approvals",
  routes: [listApprovals, getApproval, answerApproval, listGrants, revokeGrant],
});
