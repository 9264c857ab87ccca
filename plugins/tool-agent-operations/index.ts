import { addBlock, definePlugin, defineTool } from "@pergola/sdk";
import { agentsOf, openAgents } from "./agents-of.ts";
import { acknowledge } from "./operations/acknowledge.ts";
import { broadcast } from "./operations/broadcast.ts";
import { history } from "./operations/history.ts";
import { inbox } from "./operations/inbox.ts";
import { kill } from "./operations/kill.ts";
import { killall } from "./operations/killall.ts";
import { list } from "./operations/list.ts";
import { send } from "./operations/send.ts";
import { spawn } from "./operations/spawn.ts";
import { status } from "./operations/status.ts";

export const agentOperations = defineTool({
  name: "agent_operations",
  description: "Give tasks to sub-agents that work on their own, side by side. Results come to your inbox.",
  icon: "users",
  aliases: {
    spawn_agent: "spawn",
    list_agents: "list",
    agent_inbox: "inbox",
    agent_status: "status",
    kill_agent: "kill",
    send_to_agent: "send",
    broadcast_agents: "broadcast",
  },
  shortcuts: { run_subagent: { operation: "spawn", arguments: { wait: true } } },
  operations: [spawn, list, inbox, status, kill, send, broadcast, killall, acknowledge, history],
});

export default definePlugin({
  tools: [agentOperations],
  collections: {
    agents: { indexes: ["callId", ["parentId", "createdAt"], "conversationId", "state"] },
    inbox: { indexes: [["parentId", "unread", "time"]] },
  },
  register(host) {
    host.tap("runEnded", (run) => agentsOf(host).settle(run));
    host.tap("conversationEnded", (conversationId) => agentsOf(host).forget(conversationId));
    host.tap(
      "shapeModelCall",
      async (call, { conversation }) => {
        if (call.tools.every(({ name }) => name !== agentOperations.name)) return call;
        const notice = await agentsOf(host).inbox.notice(conversation.id);
        return notice === undefined ? call : addBlock(call, notice);
      },
      { stage: "late" },
    );
  },
  start: openAgents,
  stop: (host) => agentsOf(host).close(),
});
