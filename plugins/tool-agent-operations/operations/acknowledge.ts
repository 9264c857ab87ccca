import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card } from "../parameters.ts";

export const acknowledge = defineOperation({
  name: "acknowledge",
  description: "Mark summaries as read.",
  hidden: true,
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: { message_ids: { type: "array", items: { type: "string" } } },
  required: ["message_ids"],
  display: () => card("Mark summaries as read"),
  async run({ message_ids }, context) {
    return {
      data: { acknowledged: await agentsOf(context).inbox.acknowledge(context.conversationId, message_ids) },
    };
  },
});
