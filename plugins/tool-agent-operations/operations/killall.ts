import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card } from "../parameters.ts";

export const killall = defineOperation({
  name: "killall",
  description: "End all.",
  hidden: true,
  effect: "write",
  place: "own",
  recovery: "repeat",
  parameters: {},
  display: () => card("End all sub-agents"),
  async run(_, context) {
    const agents = agentsOf(context);
    const alive = await agents.roster.aliveOf(context.conversationId);
    for (const agent of alive) await agents.kill(agent);
    return { data: { killed: alive.length } };
  },
});
