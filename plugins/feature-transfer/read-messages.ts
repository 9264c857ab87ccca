import { newId, type Message } from "@pergola/sdk";
import type { ResultRecord, StoredCall } from "@pergola/sdk/host";
import type { NewIds } from "./new-ids.ts";
import type { PackedCall, PackedMessage, PackedResult } from "./package-form.ts";

const types = {
  system: "systemStatus",
  user: "user",
  assistant: "assistant",
  tool: "toolExecution",
} as const;

/**
 * Fields that are taken over as they are; what a message has beyond these, and what no package may set, is
 * not.
 */
const plain = [
  "contentParts",
  "toolName",
  "toolOperation",
  "toolStatus",
  "toolDisplayData",
  "toolDetails",
  "toolDuration",
  "toolMetadata",
  "parentToolName",
  "reasoningContent",
  "isSystemGenerated",
  "isPinned",
  "importance",
  "lastModified",
  "processingTime",
  "streamedText",
  "completionReason",
  "extra",
] as const satisfies readonly (keyof Message)[];

const readCall = (
  { id, providerId, callers, function: { name, arguments: args } }: PackedCall,
  ids: NewIds,
): StoredCall => ({
  id: ids.call(id),
  name,
  arguments: args,
  ...((ids.call(id) !== id || providerId !== undefined) && { providerId: providerId ?? id }),
  ...(callers === true && { callers }),
});

/**
 * The messages of a package as records of the conversation `conversationId`. Runs stay behind: none of them
 * names one.
 */
export function readMessages(
  packed: readonly PackedMessage[],
  conversationId: string,
  ids: NewIds,
  now: string,
): readonly Message[] {
  return packed.map((message, index): Message => {
    const {
      role,
      type = types[role],
      content = null,
      timestamp = now,
      toolCalls,
      toolCallId,
      seq = index + 1,
    } = message;
    const { visible = role !== "tool" && message.superseded !== true } = message;
    const fields = Object.fromEntries(
      plain.filter((key) => message[key] !== undefined).map((key) => [key, message[key]]),
    );
    return {
      ...fields,
      id: newId.uuid(),
      conversationId,
      seq,
      role,
      type,
      content: content && ids.results(content),
      timestamp,
      runId: null,
      visible,
      ...(toolCalls && { toolCalls: toolCalls.map((call) => readCall(call, ids)) }),
      ...(toolCallId !== undefined && { toolCallId: ids.call(toolCallId) }),
    };
  });
}

const cancelled = JSON.stringify({
  success: false,
  error: "The call was cancelled.",
  message: "",
  error_code: "cancelled",
});

/**
 * Nobody goes on with what was at work when the package was made: the open calls of the service's own tools
 * count as cancelled.
 */
export function withAnswers(messages: readonly Message[], warn: (text: string) => void): readonly Message[] {
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  const calls = messages.findLast(({ toolCalls }) => toolCalls !== undefined)?.toolCalls ?? [];
  const open = calls.filter(({ id, callers }) => callers !== true && !answered.has(id));
  const last = messages.at(-1);
  if (open.length === 0 || last === undefined) return messages;
  warn("The package was made during a run; calls that had no result yet count as cancelled.");
  const { conversationId, seq, timestamp } = last;
  const answer = {
    conversationId,
    timestamp,
    role: "tool",
    type: "toolExecution",
    content: cancelled,
    runId: null,
    visible: false,
  } as const;
  return [
    ...messages,
    ...open.map(({ id: toolCallId, name: toolName }, index): Message => {
      return { ...answer, id: newId.uuid(), seq: seq + 1 + index, toolCallId, toolName, toolStatus: "error" };
    }),
  ];
}

export function readResult(
  result: PackedResult,
  conversationId: string,
  ids: NewIds,
  now: string,
): ResultRecord {
  const {
    content,
    toolCallId = "",
    toolName = "",
    operation = "",
    mimeType = "text/plain",
    createdAt = now,
  } = result;
  const resultId = ids.results(result.resultId);
  const sizes = { totalLength: [...content].length, bytes: Buffer.byteLength(content) };
  return {
    id: resultId,
    resultId,
    toolCallId: ids.call(toolCallId),
    toolName,
    operation,
    conversationId,
    content,
    mimeType,
    createdAt,
    ...sizes,
  };
}
