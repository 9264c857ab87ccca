import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";

/** Starts the agent that the editor's settings name. */
async function startAgent() {
  const settings = JSON.parse(await readFile(process.env.EDITOR_SETTINGS, "utf8"));
  const { command, args } = settings.agent_servers.Pergola;
  const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(agent, "spawn");
  return agent;
}

const allowing = ({ options }) => ({
  outcome: { outcome: "selected", optionId: options.find(({ kind }) => kind === "allow_once").optionId },
});

/** What the person sees of a turn: the text, and each call that was asked about. */
function viewOf({ wroteText }) {
  const view = { text: "", calls: new Set(), allowed: new Set() };
  const update = {
    agent_message_chunk: ({ content }) => {
      view.text += content.text;
      wroteText(content.text);
    },
    tool_call: ({ toolCallId }) => view.calls.add(toolCallId),
  };
  view.app = client({ name: "editor" })
    .onNotification("session/update", ({ params }) => update[params.update.sessionUpdate]?.(params.update))
    .onRequest("session/request_permission", ({ params }) => {
      view.allowed.add(params.toolCall.toolCallId);
      return allowing(params);
    });
  return view;
}

async function openSession(agent, sessionId) {
  const where = { cwd: process.cwd(), mcpServers: [] };
  if (sessionId !== undefined) await agent.request("session/load", { sessionId, ...where });
  const id = sessionId ?? (await agent.request("session/new", where)).sessionId;
  await agent.request("session/set_config_option", { sessionId: id, configId: "terminal", value: "on" });
  return id;
}

/** An editor that speaks the Agent Client Protocol; its person allows each command that the model runs. */
export async function turn(context) {
  const child = await startAgent();
  const view = viewOf(context);
  const lines = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  const { agent } = view.app.connect(lines);
  try {
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const sessionId = await openSession(agent, context.state);
    // What was said before does not count.
    Object.assign(view, { text: "", calls: new Set() });
    context.signal.addEventListener("abort", () => agent.notify("session/cancel", { sessionId }));
    const prompt = [{ type: "text", text: context.prompt }];
    const { stopReason } = await agent.request("session/prompt", { sessionId, prompt });
    const unasked = [...view.calls].filter((call) => !view.allowed.has(call));
    if (unasked.length > 0) throw new Error(`Nobody was asked about ${unasked.length} calls.`);
    if (stopReason !== "end_turn") throw new Error(`It ended with ${stopReason}.`);
    return { text: view.text, state: sessionId };
  } finally {
    child.stdin.end();
    await once(child, "close");
  }
}
