import type { JsonSchema, Properties } from "@pergola/sdk";

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const flag = { type: "boolean" } as const;
const number = { type: "number" } as const;

/** An object of which all properties but the `optional` ones are always there. */
export function objectSchema(
  properties: Properties,
  optional: readonly string[] = [],
  more: Pick<JsonSchema, "description"> & { readonly title?: string } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { ...more, type: "object", required, properties };
}

/** The schema of `wireUsage`. */
export const usageSchema = objectSchema(
  {
    prompt_tokens: integer,
    completion_tokens: integer,
    total_tokens: integer,
    prompt_tokens_details: objectSchema({ cached_tokens: integer }),
    completion_tokens_details: objectSchema({ reasoning_tokens: integer }),
  },
  ["prompt_tokens_details", "completion_tokens_details"],
  { title: "Usage", description: "Sums over all model calls; details as far as the provider tells them" },
);

const providerSchema = objectSchema({
  type: text,
  name: text,
  is_local: flag,
  base_url: { ...text, description: "Scheme and host; `local` for models in this process" },
  id: text,
});

const modelInfoSchema = objectSchema({
  context_window: integer,
  max_output_tokens: integer,
  supports_tools: flag,
  supports_vision: flag,
  supports_streaming: flag,
  family: text,
  source: {
    enum: ["provider", "user", "table", "probe", "guess"],
    description: "Where these facts come from",
  },
});

const costSchema = objectSchema({
  estimated_cost_usd: number,
  prompt_cost_per_1k: number,
  completion_cost_per_1k: number,
  currency: { const: "USD" },
  note: text,
  known: { ...flag, description: "false: no price is known, and all are 0" },
});

const completionReasons = [
  "workflow_complete",
  "max_iterations_reached",
  "cancelled",
  "error",
  "tool_execution_failed",
];

const workflowSchema = objectSchema({
  iterations: integer,
  max_iterations: integer,
  tool_call_count: integer,
  tools_used: { type: "array", items: text, description: "Tool families in order of first use" },
  duration_seconds: number,
  completion_reason: {
    enum: [...completionReasons, null],
    description: "null where the service stopped before the end: the run can be resumed",
  },
  had_errors: flag,
});

/** The schema of `metadataOf` and `bypassMetadata`: a bypassed answer has no conversation. */
export const metadataSchema = objectSchema(
  {
    provider: providerSchema,
    model_info: modelInfoSchema,
    cost_estimate: costSchema,
    workflow: workflowSchema,
    conversation_id: { type: ["string", "null"] },
    run_id: text,
    usage_source: { enum: ["provider", "estimated"] },
    warnings: { type: "array", items: text, description: "What of the request could not be honoured" },
    memories: {
      type: "array",
      items: objectSchema({
        id: text,
        similarity: {
          type: ["number", "null"],
          description: "0 to 1; null where it is shown whatever the question is",
        },
        updatedAt: text,
      }),
      description: "What was put before the model for this answer",
    },
    branched_from: {
      type: ["string", "null"],
      description: "The message below which a new branch has begun",
    },
    stateful_marker: { ...text, description: "With which the provider can continue" },
  },
  [
    "provider",
    "model_info",
    "cost_estimate",
    "workflow",
    "conversation_id",
    "run_id",
    "usage_source",
    "warnings",
    "memories",
    "branched_from",
    "stateful_marker",
  ],
  { title: "ServiceMetadata", description: "What the service did for the answer" },
);

/** A card that a client may draw of a tool call. */
const toolDisplaySchema: JsonSchema = {
  title: "ToolDisplay",
  type: "object",
  properties: {
    action: text,
    actionDisplayName: text,
    summary: text,
    details: { type: "array", items: text },
    status: text,
    icon: text,
    metadata: { type: "object" },
  },
};

const eventSchema: JsonSchema = {
  title: "ServiceEvent",
  type: "object",
  required: ["type"],
  properties: {
    type: { enum: ["user_input_required", "user_input_resolved", "title", "limit_changed"] },
    toolCallId: { ...text, description: "Answer it by POST /api/chat/tool-response" },
    approvalId: text,
    runId: { type: ["string", "null"] },
    conversationId: text,
    kind: { enum: ["approval", "question"] },
    prompt: text,
    context: { type: ["string", "null"] },
    tool: text,
    operation: text,
    arguments: { type: "object", description: "Secrets are left out" },
    paths: { type: "array", items: text },
    authorize_operation: { type: ["string", "null"] },
    options: { type: "array", items: text },
    preview: {
      type: ["object", "null"],
      description: "What the call would do, without its lines: GET /api/approvals/{id} has them",
    },
    expiresAt: { type: ["string", "null"] },
    parentToolName: text,
    status: { enum: ["answered", "expired", "cancelled"], description: "Of user_input_resolved" },
    decision: { enum: ["approved", "denied", "text", null], description: "Of user_input_resolved" },
    title: { ...text, description: "Of the event title" },
    max_iterations: { ...integer, description: "Of limit_changed" },
  },
};

/** The keys of `extensionFields`. */
export const extensionProperties = {
  isToolMessage: { const: true, description: "The chunk reports a tool at work" },
  toolExecutionId: { ...text, description: "The id of the call, the same in all of its events" },
  toolName: text,
  toolOperation: text,
  toolStatus: { enum: ["queued", "running", "userInputRequired", "success", "error"] },
  toolDisplayData: toolDisplaySchema,
  toolDetails: { type: "array", items: text },
  toolIcon: text,
  parentToolName: { ...text, description: "Of calls inside a sub-agent" },
  toolMetadata: {
    type: "object",
    description: "On success and error: duration_ms, error_code, resultId, allowed_until …",
  },
  event: { ...eventSchema, description: "A question to the person, its end, a title, a new limit" },
} as const satisfies Properties;

/** The codes with which a request that begins a run can fail. */
export const runFailures = [
  "missing_field",
  "invalid_value",
  "not_found",
  "model_not_found",
  "unknown_tool_call_id",
  "missing_tool_result",
  "context_length_exceeded",
  "provider_rejected",
  "conversation_busy",
  "approval_pending",
  "id_taken",
  "in_use",
  "conflict",
  "provider_rate_limited",
  "provider_error",
  "provider_auth_failed",
  "no_provider",
  "too_many_runs",
  "wrong_host",
  "host_unavailable",
  "provider_timeout",
] as const;

/** The codes with which a request for embeddings can fail. */
export const embeddingFailures = [
  "model_not_found",
  "provider_rejected",
  "provider_rate_limited",
  "provider_error",
  "provider_auth_failed",
  "no_provider",
  "provider_timeout",
] as const;
