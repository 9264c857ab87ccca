import { homedir } from "node:os";
import { definePlugin } from "@pergola/sdk";
import { configurationFolder } from "@pergola/sdk/host";
import { authorize } from "./authorize.ts";
import { rulesReader } from "./rules.ts";
import { Taints } from "./taints.ts";

/** Ends of a call that never ran: it has brought nothing. */
const neverRan: ReadonlySet<unknown> = new Set(["denied", "permission_denied", "approval_expired"]);

export default definePlugin({
  collections: { taints: { indexes: [] } },
  register(host) {
    const readRules = rulesReader(homedir(), configurationFolder({}));
    const rules = () => readRules(host.services.preferences);
    const taints = new Taints(() => ({
      services: host.services,
      taintsFor: (conversationId) => host.collection("taints", { indexes: [] }, conversationId),
    }));
    host.tap("authorizeToolCall", async (call, context) => {
      const verdict = authorize(call, context, rules(), await taints.find(context));
      // Before it runs: what runs beside it must not be judged as if it did not.
      if (verdict.decision === "allow") await taints.note(call, context, rules());
      return verdict;
    });
    host.tap("shapeToolResult", async (result, call, context) => {
      await taints.note(call, context, rules());
      return result;
    });
    host.tap("toolCallEnded", async ({ call, context, result }) => {
      if (!neverRan.has(result.error_code)) await taints.note(call, context, rules());
    });
    host.tap("runEnded", (run) => taints.forget(run));
  },
});
