import { defineHostPlugin } from "@pergola/sdk/host";
import { endOf } from "./end-of.ts";
import { Notices } from "./notices.ts";

export default defineHostPlugin({
  parts: { notices: (parts) => new Notices(parts) },
  register(host) {
    host.tap("runEnded", (run) => {
      const notice = endOf(run);
      if (notice !== undefined) host.services.notices?.send(notice);
    });
    host.tap("approvalRequested", ({ id, conversationId, runId }) => {
      host.services.notices?.send({ type: "approval.requested", id, conversationId, runId });
    });
  },
});
