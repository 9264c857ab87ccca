import type { Properties, Route } from "@pergola/sdk";
import { approvalSchema, wireApproval } from "../wire-approval.ts";

export const approvalParameter: Properties = {
  id: { type: "string", description: "Id of the approval or of the tool call" },
};

export const getApproval: Route = {
  method: "GET",
  path: "/api/approvals/{id}",
  summary: "Show a question to the person",
  params: approvalParameter,
  response: approvalSchema,
  handle: async ({ params }, { approvals }) => ({
    body: wireApproval(await approvals.get(params["id"] ?? "")),
  }),
};
