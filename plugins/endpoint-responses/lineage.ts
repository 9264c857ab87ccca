import {
  AppError,
  defined,
  type ChatMessage,
  type ContentPart,
  type EndpointRequest,
  type Message,
  type Services,
  type ToolCall,
} from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { fault } from "./fault.ts";
import { runIdOf } from "./ids.ts";

/** Where a request goes on. */
export interface Lineage {
  /** undefined = a new conversation. */
  readonly conversationId?: string;
  /** The turns of another conversation, with which the new one begins. */
  readonly before: readonly ChatMessage[];
}

/** Messages of one read. */
const all = 100_000;

const notFound = (id: string): AppError =>
  new AppError({
    code: "not_found",
    message: `There is no response "${id}" to go on behind.`,
    param: "previous_response_id",
  });

/** A visible turn as a client would send it: the service's own calls are none of its business. */
function asSent({
  role,
  content,
  contentParts,
  toolCalls = [],
  toolCallId,
  toolName,
  reasoningContent,
}: Message): ChatMessage {
  const calls = toolCalls
    .filter(({ callers }) => callers === true)
    .map(({ id, name, arguments: args }): ToolCall => ({ id, name, arguments: args }));
  return {
    role,
    content: (contentParts as readonly ContentPart[] | undefined) ?? content,
    ...(calls.length > 0 && { toolCalls: calls }),
    ...defined({ toolCallId, name: toolName, reasoning: reasoningContent }),
  };
}

/**
 * Behind the newest response its conversation goes on. Behind an older one, or where nothing is to be stored,
 * a new conversation begins with a copy of the turns up to there, so that the other branch stays as it is.
 */
async function behind(
  responseId: string,
  keep: boolean,
  { runs, conversations }: Services,
): Promise<Lineage> {
  const run = await runs.get(runIdOf(responseId) ?? "").catch((error: unknown) => {
    if (AppError.is(error) && error.code === "not_found") throw notFound(responseId);
    throw error;
  });
  const { conversationId, id } = run;
  const [newest] = (await runs.list({ conversationId, limit: 1 })).items;
  if (newest?.id === id && keep) return { conversationId, before: [] };
  const messages = await conversations.messages(conversationId, { limit: all }).catch(() => []);
  const turns = messages.filter(({ visible }) => visible);
  const last = turns.findLastIndex(({ runId }) => runId === id);
  if (last < 0) throw notFound(responseId);
  if (last === turns.length - 1 && keep) return { conversationId, before: [] };
  return { before: turns.slice(0, last + 1).map(asSent) };
}

const idOf = (conversation: ResponseBody["conversation"]): string | undefined => {
  const id = typeof conversation === "string" ? conversation : conversation?.id;
  if (id === undefined || typeof id === "string") return id || undefined;
  throw fault("conversation.id", "must be a string");
};

/** The conversation that a request names, or the response that it goes on behind. */
export async function lineageOf(
  body: ResponseBody,
  { headers }: EndpointRequest,
  services: Services,
): Promise<Lineage> {
  const { previous_response_id: previous, store } = body;
  const conversation = idOf(body.conversation);
  if (conversation !== undefined && previous)
    throw fault("previous_response_id", "and conversation exclude each other");
  if (conversation !== undefined && store === false)
    throw fault("store", "must not be false for a conversation that is kept");
  if (previous) return behind(previous, store !== false, services);
  const named = conversation ?? (store !== false && headers["x-session-id"]);
  return { ...(named && { conversationId: named }), before: [] };
}
