import { defineOperation } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { agentId, card, message } from "../parameters.ts";

export const send = defineOperation({
  name: "send",
  description: "Give one more to do.",
  effect: "write",
  place: "own",
  parameters: { agent_id: agentId, message },
  required: ["agent_id", "message"],
  display: ({ agent_id }) => card("Write to a sub-agent", agent_id),
  examples: [
    {
      say: "tell agent_0a1b2c3d4e5f to look at the tests too",
      arguments: { agent_id: "agent_0a1b2c3d4e5f", message: "Look at the tests too." },
    },
    {
      say: "send agent_99aa88bb77cc the message stop at ten results",
      arguments: { agent_id: "agent_99aa88bb77cc", message: "stop at ten results" },
    },
    {
      say: "write to agent_0a1b2c3d4e5f: look in src first",
      arguments: { agent_id: "agent_0a1b2c3d4e5f", message: "look in src first" },
    },
    {
      say: "tell agent_99aa88bb77cc that the tests are green",
      arguments: { agent_id: "agent_99aa88bb77cc", message: "The tests are green." },
    },
    {
      say: "let agent_0a1b2c3d4e5f know that the file has moved",
      arguments: { agent_id: "agent_0a1b2c3d4e5f", message: "The file has moved." },
    },
    {
      say: "ask agent_0a1b2c3d4e5f to look again",
      arguments: { agent_id: "agent_0a1b2c3d4e5f", message: "Look again." },
    },
    {
      say: "send agent_99aa88bb77cc this message: look at the index",
      arguments: { agent_id: "agent_99aa88bb77cc", message: "look at the index" },
    },
    {
      say: "give agent_99aa88bb77cc the message look in docs too",
      arguments: { agent_id: "agent_99aa88bb77cc", message: "look in docs too" },
    },
  ],
  async run({ agent_id, message: text }, context) {
    const agents = agentsOf(context);
    const agent = await agents.roster.one(agent_id, context.conversationId);
    const failure = await agents.send(agent, text, context);
    if (failure !== undefined) throw failure;
    return { data: { delivered: true }, message: "It answers to the inbox." };
  },
});
