import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { answerApproval } from "./routes/answer-approval.ts";
import { getApproval } from "./routes/get-approval.ts";
import { listApprovals } from "./routes/list-approvals.ts";
import { listGrants } from "./routes/list-grants.ts";
import { revokeGrant } from "./routes/revoke-grant.ts";

export const approvals = defineEndpoints({
  group: "approvals",
  routes: [listApprovals, getApproval, answerApproval, listGrants, revokeGrant],
});

export default definePlugin({ endpoints: [approvals] });
