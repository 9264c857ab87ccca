import { fieldFault } from "@pergola/kit-provider";
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
import { runIdOf } from "./ids.ts";

/** What a request continues. */
export interface Lineage {
  /** undefined = a new conversation. */
  readonly conversationId?: string;
  /** The last message of the response that it continues, unless that one is the newest. */
  readonly parentMessageId?: string;
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
 * What a request that continues a response begins with. Below the newest response its conversation goes on;
 * below an older one a new branch of it begins. Where nothing is to be stored, a new conversation begins with
 * a copy of the turns up to there.
 */
async function continueAfter(
  responseId: string,
  isStored: boolean,
  { runs, conversations }: Services,
): Promise<Lineage> {
  const orNotFound = (error: unknown): never => {
    if (AppError.is(error) && error.code === "not_found") throw notFound(responseId);
    throw error;
  };
  const { conversationId, id, status } = await runs.get(runIdOf(responseId) ?? "").catch(orNotFound);
  const { activeMessageId } = await conversations.get(conversationId).catch(orNotFound);
  const [newest] = (await runs.list({ conversationId, limit: 1 })).items;
  const isAtWork = newest?.id === id && status !== "ended";
  if (isAtWork && isStored) return { conversationId, before: [] };
  const messages = await conversations.messages(conversationId, { limit: mostMessages, allBranches: true });
  const last = messages.findLast(({ runId }) => runId === id);
  if (last === undefined) throw notFound(responseId);
  if (!isStored) {
    const turns = messagesUpTo(last, messages).filter(({ visible }) => visible);
    return { before: turns.map(toChatMessage) };
  }
  if (last.id === activeMessageId) return { conversationId, before: [] };
  return { conversationId, parentMessageId: last.id, before: [] };
}

/** The messages from the beginning of a conversation to one of them. */
function messagesUpTo(last: Message, messages: readonly Message[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const branch: Message[] = [];
  for (let message: Message | undefined = last; message !== undefined;) {
    branch.push(message);
    message = byId.get(message.parentMessageId ?? "");
  }
  return branch.reverse();
}

/** What a request continues, with the steps of the service between the turns, as models are sent it. */
export async function historyOf(
  { conversationId, parentMessageId, before }: Lineage,
  { conversations }: Pick<Services, "conversations">,
): Promise<readonly ChatMessage[]> {
  if (conversationId === undefined) return before;
  const page = { limit: mostMessages, allBranches: parentMessageId !== undefined };
  const messages = await conversations.messages(conversationId, page).catch((error: unknown) => {
    // A request would begin the conversation that it names.
    if (AppError.is(error) && error.code === "not_found") return [];
    throw error;
  });
  const last = messages.find(({ id }) => id === parentMessageId);
  const branch = last === undefined ? messages : messagesUpTo(last, messages);
  return branch.map(({ role, content, contentParts, toolCalls }) => ({
    role,
    content: (contentParts as readonly ContentPart[] | undefined) ?? content,
    ...defined({ toolCalls }),
  }));
}

function idOf(conversation: ResponseBody["conversation"]): string | undefined {
  const id = typeof conversation === "string" ? conversation : conversation?.id;
  if (id === undefined || typeof id === "string") return id || undefined;
  throw fieldFault("conversation.id", "must be a string");
}

/** The conversation that a request names, or the response that it continues. */
export async function lineageOf(
  body: Pick<ResponseBody, "conversation" | "previous_response_id" | "store">,
  { headers }: Pick<EndpointRequest, "headers">,
  services: Services,
): Promise<Lineage> {
  const { previous_response_id: previous, store } = body;
  const conversation = idOf(body.conversation);
  if (conversation !== undefined && previous)
    throw fieldFault("previous_response_id", "and conversation exclude each other");
  if (conversation !== undefined && store === false)
    throw fieldFault("store", "must not be false for a conversation that is stored");
  if (previous) return continueAfter(previous, store !== false, services);
  const named = conversation ?? (store !== false && headers["x-session-id"]);
  return { ...(named && { conversationId: named }), before: [] };
}
