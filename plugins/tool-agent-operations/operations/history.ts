import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { agentId, card } from "../parameters.ts";

export const history = defineOperation({
  name: "history",
  description: "What an agent said and did.",
  hidden: true,
  effect: "read",
  parameters: { agent_id: agentId },
  required: ["agent_id"],
  display: ({ agent_id }) => card("Read what a sub-agent did", agent_id),
  async run({ agent_id }, context) {
    const agents = agentsOf(context);
    const agent = await agents.roster.one(agent_id, context.conversationId);
    return { data: { agent_id, messages: await agents.roster.messagesOf(agent) } };
  },
});
