import type { Message } from "../contract/conversation.ts";
import { pick } from "../util/pick.ts";
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

/** A message as clients see it: in a conversation's detail, and in an exported file. */
export const wireMessage = (message: Message) => ({
  ...pick(
    message,
    "id",
    "role",
    "type",
    "content",
    "timestamp",
    "runId",
    "contentParts",
    "toolCallId",
    "toolName",
    "toolOperation",
    "toolStatus",
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
  ),
  parentMessageId: message.parentMessageId ?? null,
  isFromUser: message.role === "user",
  isToolMessage: message.role === "tool" || undefined,
  toolCalls: message.toolCalls?.map(wireCall),
  toolDisplayData: message.toolDisplayData && wireDisplay(message.toolDisplayData, message),
});
