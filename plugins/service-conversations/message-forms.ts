import { defined, type ChatMessage, type ContentPart, type Message, type ToolCall } from "@pergola/sdk";
import { type ConversationKeeper, outcomeUnknown, messageText, type StoredCall } from "@pergola/sdk/host";

const providerCall = ({ id, name, arguments: args, providerId = id }: StoredCall): ToolCall => ({
  id: providerId,
  name,
  arguments: args,
});

/**
 * A stored message as models see it: calls and their results under the provider's own ids. `calls` are those
 * of the messages before.
 */
export function chatForm(message: Message, calls: Map<string, StoredCall>): ChatMessage {
  const { role, content, contentParts, toolCalls, toolCallId, toolName, reasoningContent, extra } = message;
  for (const call of toolCalls ?? []) calls.set(call.id, call);
  const call = calls.get(toolCallId ?? "");
  return defined({
    role,
    content: (contentParts as readonly ContentPart[] | undefined) ?? content,
    toolCalls: toolCalls?.map(providerCall),
    toolCallId: call?.providerId ?? toolCallId,
    name: call?.name ?? toolName,
    reasoning: reasoningContent,
    extra,
  });
}

const failed = (toolCallId: string, error_code: string, error: string, message = ""): ChatMessage => ({
  role: "tool",
  toolCallId,
  content: JSON.stringify({
    success: false,
    error,
    message,
    error_code,
  }),
});

/** The answer to a call that will never run. */
export const cancelledAnswer = (toolCallId: string): ChatMessage =>
  failed(toolCallId, "cancelled", "The call was cancelled.");

type ClosedCall = Parameters<ConversationKeeper["answerCalls"]>[1][number];

/** The answer to a call that nobody goes on with; a `doubtful` one may have run before a stop. */
export function closingAnswer({ id, doubtful }: ClosedCall): ChatMessage {
  if (!doubtful) return cancelledAnswer(id);
  return failed(id, "outcome_unknown", outcomeUnknown.message, outcomeUnknown.hint);
}

const types: Readonly<Record<string, Message["type"]>> = { tool: "toolExecution", user: "user" };

/** A message as it is stored; one of a run is not a turn that the client sees. */
export function storedMessage(message: ChatMessage, runId: string | null = null): Partial<Message> {
  const { role, content, toolCalls, toolCallId, name, reasoning, extra } = message;
  return defined({
    role,
    type: types[role] ?? "assistant",
    content: content && messageText(message),
    runId,
    visible: runId === null,
    contentParts: Array.isArray(content) ? (content as never) : undefined,
    toolCalls: toolCalls?.map((call) => ({ ...call, callers: true })),
    toolCallId,
    toolName: name,
    reasoningContent: reasoning,
    extra,
  });
}
