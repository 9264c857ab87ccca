import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { agentId, card } from "../parameters.ts";

export const kill = defineOperation({
  name: "kill",
  description: "End one.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: { agent_id: agentId },
  required: ["agent_id"],
  display: ({ agent_id }) => card("End a sub-agent", agent_id),
  examples: [
    { say: "stop agent_0a1b2c3d4e5f", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "kill agent_99aa88bb77cc", arguments: { agent_id: "agent_99aa88bb77cc" } },
    { say: "end agent_0a1b2c3d4e5f", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "cancel the agent agent_99aa88bb77cc", arguments: { agent_id: "agent_99aa88bb77cc" } },
  ],
  async run({ agent_id }, context) {
    const agents = agentsOf(context);
    await agents.kill(await agents.roster.one(agent_id, context.conversationId));
    return { data: { agent_id, status: "ended" } };
  },
});
