import { setTimeout } from "node:timers/promises";
import { AppError, type Services, type ToolResult } from "@pergola/sdk";
import { askClient } from "./ask-client.ts";
import type { ClientCall } from "./client.ts";

export interface CallAnswer {
  readonly [key: string]: unknown;
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
}

/** The bridge decides itself how long it waits for the person. */
const forever = 7 * 24 * 3600;

const textAnswer = (isError: boolean, ...texts: readonly string[]): CallAnswer => ({
  content: texts.filter((text, index) => index === 0 || text !== "").map((text) => ({ type: "text", text })),
  isError,
});

function answerTo({ success, content, data = "", error = "", message }: ToolResult): CallAnswer {
  if (!success) return textAnswer(true, error, message);
  return textAnswer(false, content ?? data, message);
}

const waits = (id: string): CallAnswer =>
  textAnswer(
    true,
    `approval_required: the call waits for the person's approval (${id}).`,
    "Tell them to answer it in Pergola. It runs once they say yes; do not repeat the call " +
      "before they have answered.",
  );

/**
 * Each client has a conversation of its own, not shown among the person's: files, results and permissions of
 * its calls belong to it.
 */
async function conversationOf({ conversations }: Services, { client, caller }: ClientCall): Promise<string> {
  const word = client
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40);
  const alias = `mcp-${word}`;
  const id = conversations.idOf(alias);
  const isThere = await conversations.get(id).then(
    () => true,
    () => false,
  );
  if (isThere) return id;
  await conversations
    .create({ id: alias, title: `Calls of the MCP client ${word}`, hidden: true }, caller)
    .catch((error: unknown) => {
      if (!AppError.is(error) || error.code !== "id_taken") throw error;
    });
  return id;
}

/**
 * One call of an MCP client through the door of all tool calls. Where the policy wants a yes, the client is
 * asked to ask; one that cannot is waited for a while, and then told that the call waits.
 */
export async function callTool(
  name: string,
  args: unknown,
  services: Services,
  call: ClientCall,
): Promise<CallAnswer> {
  const done = new AbortController();
  const over = AbortSignal.any([done.signal, call.signal]);
  const seconds = services.preferences.get<number>("mcp.approval_seconds");
  let giveUp!: (answer: CallAnswer) => void;
  const waiting = new Promise<CallAnswer>((resolve) => (giveUp = resolve));
  const askOrGiveUp = async (id: string): Promise<void> => {
    if (await askClient(id, services, call, over)) return;
    if (call.ask === undefined) await setTimeout(seconds * 1000, undefined, { signal: over });
    if ((await services.approvals.get(id)).status === "pending") giveUp(waits(id));
  };
  const conversationId = await conversationOf(services, call);
  const { caller, signal, trace } = call;
  const watch = {
    onQuestion: (id: string) => void askOrGiveUp(id).catch(() => undefined),
    onProgress: call.progress.bind(call),
  };
  const hand = {
    name,
    arguments: args,
    conversationId,
    waitSeconds: forever,
    userInitiated: false,
  };
  const result = services.tools
    .call({ ...hand, caller, trace, signal, cancel: signal, watch })
    .then((end) => answerTo(end.result));
  return Promise.race([result, waiting]).finally(() => done.abort());
}
