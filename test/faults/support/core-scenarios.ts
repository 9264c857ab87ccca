import { setTimeout } from "node:timers/promises";
import { chatBody } from "./chat.ts";
import type { Plan } from "./plan.ts";
import type { Service } from "./service.ts";

/** Sends one request; gives its body, or undefined when the service refused or failed. */
export type Send = <T = object>(method: string, route: string, body?: object) => Promise<T | undefined>;

/** One of the things that the service is for; `id` is a name that nothing had before. */
export type Scenario = (send: Send, service: Service, id: string) => Promise<unknown>;

const chat = (service: Service, plan: Plan, more: object = {}) => chatBody(service, plan, more);

interface ByHand {
  readonly id: string;
  readonly tool: string;
  readonly calls: readonly object[];
}

/** Calls of a tool by hand, as the person of this computer makes them, in a conversation of its own. */
async function byHand(send: Send, { project }: Service, { id, tool, calls }: ByHand): Promise<void> {
  await send("POST", "/v1/conversations", { id, title: id });
  const more = { conversationId: id, workingDirectory: project.folder, isUserInitiated: true };
  for (const call of calls) await send("POST", "/debug/mcp/execute", { tool, arguments: call, ...more });
}

export const coreScenarios: Readonly<Record<string, Scenario>> = {
  "a chat": (send, service, id) => send("POST", "/api/chat/completions", chat(service, { id })),
  "a streamed chat": (send, service, id) =>
    send("POST", "/api/chat/completions", chat(service, { id }, { stream: true })),
  "a chat with tools": (send, service, id) =>
    send(
      "POST",
      "/api/chat/completions",
      chat(service, {
        id,
        turns: [[{ operation: "once" }, { operation: "look" }], [{ operation: "repeat" }]],
      }),
    ),
  "a large result": (send, service, id) =>
    send(
      "POST",
      "/api/chat/completions",
      chat(service, { id, turns: [[{ operation: "once", size: 200_000 }]] }),
    ),
  "work in the background": async (send, service, id) => {
    const body = { ...chat(service, { id, turns: [[{ operation: "look" }]] }) };
    const answer = await send<{ runId?: string }>("POST", "/api/chat/autonomous", body);
    const run = `/api/runs/${answer?.runId ?? "none"}`;
    // To its end: what it still did would count for the next scenario.
    await send("GET", `${run}/events`);
    await send("GET", run);
    await send("GET", "/api/runs?limit=5");
  },
  "a call that is approved": async (send, { project }, id) => {
    await send("POST", "/v1/conversations", { id, title: id });
    const body = { tool: "effects.ask", arguments: {}, conversationId: id };
    const blocked = { ...body, workingDirectory: project.folder, waitSeconds: 10 };
    const answered = send("POST", "/debug/mcp/execute", blocked);
    const ended = answered.then(() => true);
    const list = `/api/approvals?conversationId=${id}`;
    for (;;) {
      const pending = await send<{ approvals: { id: string }[] }>("GET", list);
      const [first] = pending?.approvals ?? [];
      if (first !== undefined) await send("POST", `/api/approvals/${first.id}`, { approved: true });
      if (await Promise.race([ended, setTimeout(20, false)])) return;
    }
  },
  "a conversation's life": async (send, _service, id) => {
    await send("POST", "/v1/conversations", { id, title: "First" });
    await send("PATCH", `/v1/conversations/${id}`, { title: "Second" });
    await send("GET", "/v1/conversations?limit=5&q=second");
    await send("GET", `/v1/conversations/${id}`);
    await send("DELETE", `/v1/conversations/${id}`);
  },
  "export and import": async (send, service, id) => {
    await send("POST", "/api/chat/completions", chat(service, { id }));
    const whole = await send("GET", `/v1/conversations/${id}/export`);
    if (whole !== undefined) await send("POST", "/v1/conversations/import", whole);
  },
  "what is remembered": async (send, service, id) => {
    const calls = [
      { operation: "store_memory", content: `The kite number ${id} is red.` },
      { operation: "search_memory", query: "red kite" },
    ];
    await byHand(send, service, { id, tool: "memory_operations", calls });
    await send("GET", `/api/memories?conversationId=${id}`);
  },
  "files by hand": (send, service, id) => {
    const filePath = `${id}.txt`;
    const calls = [
      { operation: "create_file", filePath, content: "one\n" },
      { operation: "replace_string", filePath, oldString: "one", newString: "two" },
      { operation: "read_file", filePath },
      { operation: "grep_search", query: "two" },
      { operation: "delete_file", filePath },
    ];
    return byHand(send, service, { id, tool: "file_operations", calls });
  },
  "a command by hand": (send, service, id) => {
    const calls = [{ operation: "run_command", command: "echo hello", explanation: "Says hello" }];
    return byHand(send, service, { id, tool: "terminal_operations", calls });
  },
  "topics, folders, prompts and preferences": async (send, _service, id) => {
    const topic = await send<{ id?: string }>("POST", "/api/topics", { name: `Topic ${id}` });
    const folder = await send<{ id?: string }>("POST", "/api/folders", { name: `Folder ${id}` });
    await send("POST", "/api/prompts/system", { name: `Prompt ${id}`, content: "Be kind." });
    await send("PATCH", "/api/preferences", { "runs.on_client_close": "cancel" });
    if (topic?.id !== undefined) await send("DELETE", `/api/topics/${topic.id}`);
    if (folder?.id !== undefined) await send("DELETE", `/api/folders/${folder.id}`);
  },
};
