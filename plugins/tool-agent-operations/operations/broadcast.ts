import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card, message } from "../parameters.ts";

export const broadcast = defineOperation({
  name: "broadcast",
  description: "The same to all.",
  effect: "write",
  place: "own",
  parameters: { message },
  required: ["message"],
  display: () => card("Write to all sub-agents"),
  examples: [
    { say: "tell all agents to finish now", arguments: { message: "Finish now." } },
    {
      say: "broadcast to the agents that the deadline is noon",
      arguments: { message: "The deadline is noon." },
    },
    { say: "tell all agents that we are done", arguments: { message: "We are done." } },
    { say: "write to all agents: be brief", arguments: { message: "be brief" } },
    { say: "send all agents the message use short names", arguments: { message: "use short names" } },
    { say: "tell the agents that the disk is new", arguments: { message: "The disk is new." } },
    { say: "let all agents know that the test is over", arguments: { message: "The test is over." } },
    { say: "broadcast to the agents: be quick", arguments: { message: "be quick" } },
    { say: "message all agents: be brief", arguments: { message: "be brief" } },
  ],
  async run({ message: text }, context) {
    const agents = agentsOf(context);
    const alive = await agents.roster.aliveOf(context.conversationId);
    let left = 0;
    for (const agent of alive) left += Number((await agents.send(agent, text, context)) !== undefined);
    const data = { delivered: alive.length - left };
    if (left === 0) return { data, message: "" };
    return { data, message: `${left} idle agents have no room to work (agents.max_parallel).` };
  },
});
