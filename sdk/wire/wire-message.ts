import type { Message } from "../contract/conversation.ts";
import type { JsonObject } from "../util/json.ts";

type Call = NonNullable<Message["toolCalls"]>[number];

const wireCall = ({ id, name, arguments: args }: Call) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

/** The card of a tool message: what was shown of the call, with its state. */
const wireDisplay = (
  display: JsonObject,
  { toolStatus = "success", toolMetadata = {} }: Message,
): JsonObject => ({
  status: toolStatus,
  metadata: toolMetadata,
  ...display,
});

/** Fields that are left out where they do not apply: undefined never reaches the JSON. */
const optional = (message: Message) => ({
  contentParts: message.contentParts,
  toolCalls: message.toolCalls?.map(wireCall),
  toolCallId: message.toolCallId,
  toolName: message.toolName,
  toolOperation: message.toolOperation,
  toolStatus: message.toolStatus,
  toolDisplayData: message.toolDisplayData && wireDisplay(message.toolDisplayData, message),
  toolDetails: message.toolDetails,
  toolDuration: message.toolDuration,
  toolMetadata: message.toolMetadata,
  parentToolName: message.parentToolName,
  reasoningContent: message.reasoningContent,
  isToolMessage: message.role === "tool" ? true : undefined,
  isSystemGenerated: message.isSystemGenerated,
  isPinned: message.isPinned,
  importance: message.importance,
  lastModified: message.lastModified,
  processingTime: message.processingTime,
});

/** A message as clients see it: in a conversation's detail, and in an exported file. */
export const wireMessage = (message: Message) => ({
  id: message.id,
  parentMessageId: message.parentMessageId ?? null,
  role: message.role,
  type: message.type,
  isFromUser: message.role === "user",
  content: message.content,
  timestamp: message.timestamp,
  runId: message.runId,
  ...optional(message),
});
