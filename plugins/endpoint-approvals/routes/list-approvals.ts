import type { Route } from "@pergola/sdk";
import { approvalSchema, wireApproval } from "../wire-approval.ts";

interface Query {
  readonly status?: string;
  readonly conversationId?: string;
  readonly runId?: string;
}

export const listApprovals: Route = {
  method: "GET",
  path: "/api/approvals",
  summary: "List questions to the person, the oldest first",
  query: {
    status: { enum: ["pending", "answered", "expired", "cancelled", "all"], default: "pending" },
    conversationId: { type: "string", description: "UUID or alias" },
    runId: { type: "string" },
  },
  response: {
    type: "object",
    properties: { approvals: { type: "array", items: approvalSchema }, count: { type: "integer" } },
  },
  async handle({ query }, { approvals }) {
    const { status = "pending", conversationId, runId } = query as Query;
    const { items, count } = await approvals.list({
      status: status === "all" ? undefined : status,
      conversationId,
      runId,
    });
    return { body: { approvals: items.map(wireApproval), count } };
  },
};
