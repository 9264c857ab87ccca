import { defineOperation, type Json, type RunRecord } from "@pergola/sdk";
import { agentsOf } from "../agents-of.ts";
import { card } from "../parameters.ts";

/** Seconds that a run took; 0 when it never started or has no end. */
const durationOf = ({ startedAt, endedAt }: RunRecord): number => {
  if (startedAt === null || endedAt === null) return 0;
  return (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
};

export const spawn = defineOperation({
  name: "spawn",
  description:
    "Start an agent on a task. It sees nothing of this conversation. wait = stay until it is done.",
  effect: "write",
  place: "own",
  recovery: "repeat",
  timeoutSeconds: 0,
  parameters: {
    task: { type: "string", minLength: 1, description: "All it needs to know" },
    instructions: { type: "string", description: "How to work" },
    model: { type: "string" },
    persistent: { type: "boolean", default: false, description: "Stays for send" },
    wait: { type: "boolean", default: false },
    maxIterations: { type: "integer", minimum: 1, maximum: 1000, default: 15 },
    temperature: { type: "number", minimum: 0, maximum: 2 },
    topP: { type: "number", minimum: 0, maximum: 1 },
    systemPromptId: { type: "string" },
    enableTerminalAccess: { type: "boolean", default: false },
    enableReasoning: { type: "boolean" },
    enableWorkflowMode: { type: "boolean", default: false, description: "May spawn agents" },
    enableDynamicIterations: { type: "boolean", default: false },
    sharedTopicId: { type: "string" },
  },
  required: ["task"],
  display: ({ task }) => card("Start a sub-agent", task),
  examples: [
    {
      say: "let a sub-agent find out who maintains this project",
      arguments: { task: "Find out who maintains this project." },
    },
    { say: "spawn an agent that summarizes notes.md", arguments: { task: "Summarize notes.md." } },
    {
      say: "start an agent to check the links and wait for its result",
      arguments: { task: "Check the links.", wait: true },
    },
    { say: "let an agent read the logs", arguments: { task: "Read the logs." } },
    { say: "create an agent that looks for dead code", arguments: { task: "Looks for dead code." } },
    { say: "have a sub-agent write the summary", arguments: { task: "Write the summary." } },
    { say: "spawn a sub-agent: sort the issues", arguments: { task: "Sort the issues." } },
    {
      say: "start an agent to test the links and wait until it has finished",
      arguments: { task: "Test the links.", wait: true },
    },
    { say: "start an agent which checks the spelling", arguments: { task: "Checks the spelling." } },
    { say: "give an agent the task to collect the figures", arguments: { task: "Collect the figures." } },
    { say: "start an agent to sort the mail", arguments: { task: "Sort the mail." } },
  ],
  async run({ task, persistent, wait, ...wishes }, context) {
    const agents = agentsOf(context);
    const agent = await agents.spawn(task, wishes, { persistent, wait }, context);
    const ids = { agent_id: agent.id, run_id: agent.runId, conversation_id: agent.conversationId };
    if (!wait) {
      const { status } = await agents.roster.statusOf(agent);
      return { data: { ...ids, status }, message: `${agent.id} is at work. Its summary comes to the inbox.` };
    }
    const { agent: now, run } = await agents.ended(agent);
    context.signal.throwIfAborted();
    const { status } = await agents.roster.statusOf(now);
    const result: Json = {
      summary: now.summary,
      iterations: run.iterations,
      duration: durationOf(run),
      tools_used: [...run.toolsUsed],
    };
    return {
      data: { ...ids, status, ...result },
      message: `The agent's run ended: ${run.completionReason ?? run.status}.`,
    };
  },
});
