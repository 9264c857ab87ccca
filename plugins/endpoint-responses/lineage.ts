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

/** What a request continues. */
export interface Lineage {
  /** undefined = a new conversation. */
  readonly conversationId?: string;
  /** The turns of another conversation, with which the new one begins. */
  readonly before: readonly ChatMessage[];
}

const mostMessages = 100_000;

const notFound = (id: string): AppError =>
  new AppError({
    code: "not_found",
    message: `There is no response "${id}" to continue.`,
    param: "previous_response_id",
  });

/** A visible turn as a client would send it, without the calls of the service's own tools. */
function toChatMessage({
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
 * The newest response continues in its conversation. After an older one, or where nothing is to be stored, a
 * new conversation begins with a copy of the turns up to there, so that the other branch stays as it is.
 */
async function continueAfter(
  responseId: string,
  isStored: boolean,
  { runs, conversations }: Services,
): Promise<Lineage> {
  const run = await runs.get(runIdOf(responseId) ?? "").catch((error: unknown) => {
    if (AppError.is(error) && error.code === "not_found") throw notFound(responseId);
    throw error;
  });
  const { conversationId, id } = run;
  const [newest] = (await runs.list({ conversationId, limit: 1 })).items;
  if (newest?.id === id && isStored) return { conversationId, before: [] };
  const messages = await conversations.messages(conversationId, { limit: mostMessages }).catch(() => []);
  const turns = messages.filter(({ visible }) => visible);
  const last = turns.findLastIndex(({ runId }) => runId === id);
  if (last < 0) throw notFound(responseId);
  if (last === turns.length - 1 && isStored) return { conversationId, before: [] };
  return { before: turns.slice(0, last + 1).map(toChatMessage) };
}

function idOf(conversation: ResponseBody["conversation"]): string | undefined {
  const id = typeof conversation === "string" ? conversation : conversation?.id;
  if (id === undefined || typeof id === "string") return id || undefined;
  throw fault("conversation.id", "must be a string");
}

/** The conversation that a request names, or the response that it continues. */
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
    throw fault("store", "must not be false for a conversation that is stored");
  if (previous) return continueAfter(previous, store !== false, services);
  const named = conversation ?? (store !== false && headers["x-session-id"]);
  return { ...(named && { conversationId: named }), before: [] };
}
