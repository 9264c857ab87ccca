import type { Route } from "@pergola/sdk";

export const revokeGrant: Route = {
  method: "DELETE",
  path: "/api/grants/{id}",
  summary: "Take a permission back; calls that have begun go on",
  params: { id: { type: "string" } },
  response: { type: "object", properties: { success: { const: true } } },
  async handle({ params }, { approvals }) {
    await approvals.revoke(params["id"] ?? "");
    return { body: { success: true } };
  },
};
