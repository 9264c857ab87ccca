import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card } from "../parameters.ts";

export const list = defineOperation({
  name: "list",
  description: "Your agents.",
  effect: "read",
  parameters: {},
  display: () => card("List the sub-agents"),
  examples: [
    { say: "which agents are at work", arguments: {} },
    { say: "list the sub-agents", arguments: {} },
    { say: "what agents are there?", arguments: {} },
    { say: "show my sub-agents", arguments: {} },
    { say: "are any agents running at the moment?", arguments: {} },
  ],
  async run(_, context) {
    const agents = agentsOf(context);
    const found = await agents.roster.of(context.conversationId);
    const entries = found.map(async (agent) => ({
      agent_id: agent.id,
      task: agent.task,
      ...(await agents.roster.statusOf(await agents.now(agent))),
    }));
    return { data: { agents: await Promise.all(entries) } };
  },
});
