import type { ApprovalRecord, JsonSchema } from "@pergola/sdk";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const texts = { type: "array", items: text } as const;

/** An approval on the wire. */
export const approvalSchema: JsonSchema = {
  type: "object",
  properties: {
    id: text,
    toolCallId: text,
    runId: textOrNull,
    conversationId: text,
    kind: { enum: ["approval", "question"] },
    tool: text,
    operation: text,
    arguments: { type: "object", description: "As the call will run; secrets are left out" },
    paths: texts,
    effect: { enum: ["none", "read", "write", "destructive", "execute"] },
    reason: { type: "string", description: "Why the call asks" },
    prompt: text,
    context: textOrNull,
    authorize_operation: textOrNull,
    options: texts,
    status: { enum: ["pending", "answered", "expired", "cancelled"] },
    decision: { enum: ["approved", "denied", "text", null] },
    answer: textOrNull,
    createdAt: text,
    expiresAt: textOrNull,
    answeredAt: textOrNull,
    result: {
      type: ["object", "null"],
      description: "Calls made by hand only: the tool's result once it ran",
    },
    parentToolName: { type: "string", description: "Calls of a sub-agent only: the tool that started it" },
  },
};

/**
 * An approval as a client reads it. Only a call made by hand has its result here: a run's result stands in
 * its messages.
 */
export const wireApproval = (approval: ApprovalRecord) => ({
  id: approval.id,
  toolCallId: approval.toolCallId,
  runId: approval.runId,
  conversationId: approval.conversationId,
  kind: approval.kind,
  tool: approval.tool,
  operation: approval.operation,
  arguments: approval.arguments,
  paths: approval.paths,
  effect: approval.effect,
  reason: approval.reason,
  prompt: approval.prompt,
  context: approval.context,
  authorize_operation: approval.authorizeOperation,
  options: approval.options,
  status: approval.status,
  decision: approval.decision,
  answer: approval.answer,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  answeredAt: approval.answeredAt,
  ...(approval.runId === null ? { result: approval.result } : {}),
  ...(approval.parentTool === undefined ? {} : { parentToolName: approval.parentTool }),
});
