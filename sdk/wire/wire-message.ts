import type { Message } from "../contract/conversation.ts";
import type { JsonObject } from "../util/json.ts";
import type { JsonSchema } from "../util/schema.ts";

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

/** Written out: added one by one they make much garbage, and this runs for each message that is read. */
const fieldsOf = (message: Message) => ({
  id: message.id,
  role: message.role,
  type: message.type,
  content: message.content,
  timestamp: message.timestamp,
  runId: message.runId,
  contentParts: message.contentParts,
  toolCallId: message.toolCallId,
  toolName: message.toolName,
  toolOperation: message.toolOperation,
  toolStatus: message.toolStatus,
  toolDetails: message.toolDetails,
  toolDuration: message.toolDuration,
  toolMetadata: message.toolMetadata,
  parentToolName: message.parentToolName,
  reasoningContent: message.reasoningContent,
  isSystemGenerated: message.isSystemGenerated,
  isPinned: message.isPinned,
  importance: message.importance,
  lastModified: message.lastModified,
  processingTime: message.processingTime,
  memories: message.memories,
  parentMessageId: message.parentMessageId ?? null,
  isFromUser: message.role === "user",
  isToolMessage: message.role === "tool" || undefined,
  toolCalls: message.toolCalls?.map(wireCall),
  toolDisplayData: message.toolDisplayData && wireDisplay(message.toolDisplayData, message),
});

type Fields = ReturnType<typeof fieldsOf>;
type Made = "parentMessageId" | "isFromUser" | "isToolMessage" | "toolCalls" | "toolDisplayData";

/** A message as clients see it: in a conversation's detail, and in an exported file. */
export const wireMessage = fieldsOf as (
  message: Message,
) => Pick<Message, Exclude<keyof Fields, Made>> & Pick<Fields, Made>;

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const flag = { type: "boolean" } as const;

const memoriesSchema: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "similarity", "updatedAt"],
    properties: {
      id: text,
      similarity: {
        type: ["number", "null"],
        description: "0 to 1: how well it fits the question; null where it is shown whatever the question is",
      },
      updatedAt: text,
    },
  },
};

const callSchema: JsonSchema = {
  type: "object",
  required: ["id", "type", "function"],
  properties: {
    id: text,
    type: { const: "function" },
    function: {
      type: "object",
      required: ["name", "arguments"],
      properties: { name: text, arguments: { ...text, description: "JSON" } },
    },
  },
};

/** The fields of `wireMessage`, and those that views of a conversation add. */
export const messageSchema: JsonSchema = {
  title: "Message",
  type: "object",
  required: ["id", "role", "type", "content", "timestamp", "runId", "parentMessageId", "isFromUser"],
  properties: {
    id: text,
    parentMessageId: { ...textOrNull, description: "null for the first" },
    role: { enum: ["user", "assistant", "tool", "system"] },
    type: { enum: ["user", "assistant", "toolExecution", "subagentExecution", "systemStatus", "thinking"] },
    isFromUser: flag,
    content: { ...textOrNull, description: "null beside calls without text" },
    contentParts: { type: "array", items: { type: "object" }, description: "Where there are images" },
    timestamp: text,
    runId: textOrNull,
    toolCalls: { type: "array", items: callSchema },
    toolCallId: text,
    toolName: text,
    toolOperation: text,
    toolStatus: { enum: ["queued", "running", "userInputRequired", "success", "error"] },
    toolDisplayData: { type: "object", description: "A card for a screen" },
    toolDetails: { type: "array", items: text },
    toolDuration: { type: "number" },
    toolMetadata: { type: "object" },
    parentToolName: text,
    reasoningContent: text,
    isToolMessage: flag,
    isSystemGenerated: flag,
    isPinned: flag,
    importance: { type: "number", minimum: 0, maximum: 1 },
    isActive: { ...flag, description: "With view=all: it is on the active branch" },
    lastModified: text,
    processingTime: { type: "number" },
    memories: { ...memoriesSchema, description: "What was put before the model for this answer" },
  },
};
