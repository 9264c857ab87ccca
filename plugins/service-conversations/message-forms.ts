import type { ChatMessage, CompletionReason, ContentPart, Message, ToolCall } from "@pergola/sdk";
import { outcomeUnknown, textOf, type StoredCall, type StoredTurn } from "@pergola/sdk/host";

const asSeen = ({ id, name, arguments: args, providerId = id }: StoredCall): ToolCall => ({
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
  const { name = toolName, providerId = toolCallId } = calls.get(toolCallId ?? "") ?? {};
  return {
    role,
    content: (contentParts as readonly ContentPart[] | undefined) ?? content,
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(asSeen) }),
    ...(toolCallId === undefined ? {} : { toolCallId: providerId ?? toolCallId }),
    ...(name === undefined ? {} : { name }),
    ...(reasoningContent === undefined ? {} : { reasoning: reasoningContent }),
    ...(extra === undefined ? {} : { extra }),
  };
}

const cutShort: ReadonlySet<string> = new Set<CompletionReason>([
  "cancelled",
  "error",
  "tool_execution_failed",
]);

/** A visible message as history merging compares it. */
export function toTurn({
  seq,
  role,
  content,
  streamedText,
  completionReason,
  toolCallId,
  toolCalls,
}: Message): StoredTurn {
  return {
    seq,
    role,
    content: content ?? "",
    ...(streamedText === undefined ? {} : { streamedText }),
    cut: completionReason !== undefined && cutShort.has(completionReason),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(toolCalls === undefined
      ? {}
      : { callIds: toolCalls.filter(({ callers }) => callers === true).map(({ id }) => id) }),
  };
}

const failed = (toolCallId: string, error_code: string, error: string, message = ""): ChatMessage => ({
  role: "tool",
  toolCallId,
  content: JSON.stringify({ success: false, error, message, error_code }),
});

/** The answer to a call that will never run. */
export const cancelledAnswer = (toolCallId: string): ChatMessage =>
  failed(toolCallId, "cancelled", "The call was cancelled.");

/** The answer to a call that was started before the service stopped, and will not be gone on with. */
export const doubtfulAnswer = (toolCallId: string): ChatMessage =>
  failed(toolCallId, "outcome_unknown", outcomeUnknown.message, outcomeUnknown.hint);

/** A message as it is stored; one of a run is not a turn that the client sees. */
export function storedMessage(message: ChatMessage, runId: string | null = null): Partial<Message> {
  const { role, content, toolCalls, toolCallId, name, reasoning, extra } = message;
  return {
    role,
    type: role === "user" ? "user" : role === "tool" ? "toolExecution" : "assistant",
    content: content === null ? null : textOf(message),
    runId,
    visible: runId === null,
    ...(Array.isArray(content) ? { contentParts: content as never } : {}),
    ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map((call) => ({ ...call, callers: true })) }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { toolName: name }),
    ...(reasoning === undefined ? {} : { reasoningContent: reasoning }),
    ...(extra === undefined ? {} : { extra }),
  };
}
