import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card } from "../parameters.ts";

export const inbox = defineOperation({
  name: "inbox",
  description: "Unread summaries.",
  effect: "read",
  parameters: {},
  display: () => card("Read the summaries of sub-agents"),
  examples: [
    { say: "what did the agents report", arguments: {} },
    { say: "check the agent inbox", arguments: {} },
    { say: "show the summaries of my agents", arguments: {} },
    { say: "did the agents send anything?", arguments: {} },
    { say: "what is in the agent inbox?", arguments: {} },
    { say: "any word from the agents?", arguments: {} },
    { say: "open the agent inbox", arguments: {} },
    { say: "have the agents answered?", arguments: {} },
  ],
  async run(_, context) {
    const unread = await agentsOf(context).inbox.unread(context.conversationId);
    const messages = unread.map(({ id, agentId, time, text }) => ({ id, agent_id: agentId, time, text }));
    if (messages.length === 0) return { data: { messages }, message: "Nothing is unread." };
    return {
      data: { messages },
      message: "They stay unread until acknowledge(message_ids) marks them as read.",
    };
  },
});
