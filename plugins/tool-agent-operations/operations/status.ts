import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { agentId, card } from "../parameters.ts";

export const status = defineOperation({
  name: "status",
  description: "How far one is.",
  effect: "read",
  parameters: { agent_id: agentId },
  required: ["agent_id"],
  display: ({ agent_id }) => card("Look at a sub-agent", agent_id),
  examples: [
    { say: "how far is agent_0a1b2c3d4e5f", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "status of agent_99aa88bb77cc", arguments: { agent_id: "agent_99aa88bb77cc" } },
    { say: "what is agent_0a1b2c3d4e5f doing?", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "has agent_99aa88bb77cc finished?", arguments: { agent_id: "agent_99aa88bb77cc" } },
    { say: "how is agent_0a1b2c3d4e5f doing?", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "look at agent_0a1b2c3d4e5f", arguments: { agent_id: "agent_0a1b2c3d4e5f" } },
    { say: "is agent_99aa88bb77cc ready?", arguments: { agent_id: "agent_99aa88bb77cc" } },
    { say: "check agent_99aa88bb77cc", arguments: { agent_id: "agent_99aa88bb77cc" } },
  ],
  async run({ agent_id }, context) {
    const agents = agentsOf(context);
    const agent = await agents.now(await agents.roster.one(agent_id, context.conversationId));
    const { status: now, iterations } = await agents.roster.statusOf(agent);
    const last_activity = await agents.roster.lastActivity(agent);
    return {
      data: {
        agent_id,
        status: now,
        iterations,
        last_activity,
        summary: agent.summary,
      },
    };
  },
});
