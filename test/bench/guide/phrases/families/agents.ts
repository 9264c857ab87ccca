import { has, phrase, type Phrase, silent } from "../../phrase.ts";

const list = "agent_operations.list";
const status = "agent_operations.status";

export const agents: readonly Phrase[] = [
  phrase("start a sub-agent that compares the two drafts", "spawn", { task: has("the two drafts") }),
  phrase("spawn an agent to list all broken links", "spawn", { task: has("list all broken links") }),
  phrase("let an agent count the lines of code", "spawn", { task: has("count the lines of code") }),
  phrase("have a sub-agent read the changelog", "spawn", { task: has("read the changelog") }),
  phrase("create an agent which looks for typos in README.md", "spawn", { task: has("typos in README.md") }),
  phrase("launch a sub-agent to review the tests and wait for it", "spawn", {
    task: has("review the tests"),
    wait: true,
  }),
  phrase("start an agent to translate the manual and wait until it is done", "spawn", {
    task: has("translate the manual"),
    wait: true,
  }),
  phrase("spawn a sub-agent: collect the open questions", "spawn", {
    task: has("collect the open questions"),
  }),
  phrase("what agents are running?", list, {}),
  phrase("show me all agents", list, {}),
  phrase("do I have any sub-agents at the moment?", list, {}),
  phrase("list your agents please", list, {}),
  phrase("is there anything in the agent inbox?", "inbox", {}),
  phrase("have the agents reported back?", "inbox", {}),
  phrase("show me the summaries of the agents", "inbox", {}),
  phrase("read the inbox of the agents", "inbox", {}),
  phrase("what is agent_11223344aabb doing?", status, { agent_id: "agent_11223344aabb" }),
  phrase("is agent_5566778899ab done yet?", status, { agent_id: "agent_5566778899ab" }),
  phrase("how is agent_0f0f0f0f0f0f getting on", status, { agent_id: "agent_0f0f0f0f0f0f" }),
  phrase("show the status of agent_abcdef012345", status, { agent_id: "agent_abcdef012345" }),
  phrase("end agent_11223344aabb", "kill", { agent_id: "agent_11223344aabb" }),
  phrase("terminate agent_5566778899ab", "kill", { agent_id: "agent_5566778899ab" }),
  phrase("please stop agent_0f0f0f0f0f0f", "kill", { agent_id: "agent_0f0f0f0f0f0f" }),
  phrase("shut down agent_abcdef012345", "kill", { agent_id: "agent_abcdef012345" }),
  phrase("tell agent_11223344aabb to skip the images", "send", {
    agent_id: "agent_11223344aabb",
    message: has("skip the images"),
  }),
  phrase("send agent_5566778899ab the message use British spelling", "send", {
    agent_id: "agent_5566778899ab",
    message: "use British spelling",
  }),
  phrase("write to agent_0f0f0f0f0f0f: only the first chapter", "send", {
    agent_id: "agent_0f0f0f0f0f0f",
    message: has("only the first chapter"),
  }),
  phrase("ask agent_abcdef012345 to check the footnotes as well", "send", {
    agent_id: "agent_abcdef012345",
    message: has("check the footnotes"),
  }),
  phrase("tell all the agents to stop searching", "broadcast", { message: has("stop searching") }),
  phrase("broadcast to all agents: use metric units", "broadcast", { message: has("use metric units") }),
  phrase("broadcast to the agents that the budget is spent", "broadcast", {
    message: has("the budget is spent"),
  }),
  phrase("let every agent know that the server is back", "broadcast", { message: has("the server is back") }),
  silent("don't stop agent_11223344aabb"),
  silent("don't start any agents yet"),
  silent("what would happen if you killed agent_11223344aabb?"),
  silent("should I stop agent_abcdef012345?"),
  silent("my agent is late"),
  silent("she is a travel agent"),
  silent("what is a sub-agent?"),
  silent("can you spawn agents?"),
  silent("when would I broadcast to all agents?"),
  silent("I told the agent to wait"),
  silent("stop all the noise"),
  silent("kill the lights"),
  silent("let a friend decide"),
  silent("tell everyone I said hi"),
];
