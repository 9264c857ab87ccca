import { AppError } from "../contract/errors.ts";
import { defined } from "../util/defined.ts";
import type { Usage } from "../contract/provider.ts";
import type { ApprovalRecord, RunRecord } from "../contract/run.ts";
import type { AnswerInput } from "../contract/services.ts";
import type { Properties } from "../util/schema.ts";

/** The `usage` object of chat answers and run records; details stand in it as far as providers told them. */
export function wireUsage({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage) {
  const hasCached = cachedTokens !== undefined;
  const hasReasoning = reasoningTokens !== undefined;
  return defined({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: hasCached ? { cached_tokens: cachedTokens } : undefined,
    completion_tokens_details: hasReasoning ? { reasoning_tokens: reasoningTokens } : undefined,
  });
}

/** A run as `/api/runs` and the `state` events of a run show it. */
export const wireRun = (run: RunRecord) => ({
  id: run.id,
  conversationId: run.conversationId,
  parentRunId: run.parentRunId,
  kind: run.kind,
  status: run.status,
  completion_reason: run.completionReason,
  model: run.model,
  provider: run.provider,
  iterations: run.iterations,
  max_iterations: run.maxIterations,
  tool_call_count: run.toolCallCount,
  tools_used: run.toolsUsed,
  had_errors: run.hadErrors,
  error: run.error,
  usage: wireUsage(run.usage),
  pendingToolCallIds: run.pendingToolCallIds,
  createdAt: run.createdAt,
  startedAt: run.startedAt,
  endedAt: run.endedAt,
});

/**
 * Body fields with which a person answers a blocked call; the same for `/api/chat/tool-response` and
 * `/api/approvals/{id}`.
 */
export const answerProperties = {
  userResponse: {
    type: "string",
    description: "The answer; a comment when `approved` is given",
    aliases: ["userInput"],
  },
  conversationId: { type: "string", description: "UUID or alias; must be the call's conversation" },
  approved: { type: "boolean", description: "The decision; wins over the text" },
  grant: { enum: ["once", "time", "conversation"], description: "What kind of permission a yes leaves" },
  expiresIn: { type: "string", description: "How long a permission of kind time lasts, such as 5m" },
  paths: {
    type: "array",
    items: { type: "string" },
    description: "The paths a permission covers, with what lies below",
  },
} as const satisfies Properties;

interface AnswerBody extends Omit<AnswerInput, "text"> {
  readonly userResponse?: string;
}

/**
 * What the body of an answer says; throws AppError `missing_field` when it says neither yes, no nor anything
 * else.
 */
export function readAnswer({ approved, userResponse, grant, expiresIn, paths }: AnswerBody): AnswerInput {
  if (approved === undefined && userResponse === undefined) {
    throw new AppError({
      code: "missing_field",
      message: "Give userResponse, or approved.",
      param: "userResponse",
    });
  }
  return defined({ approved, text: userResponse, grant, expiresIn, paths });
}

const answered: Readonly<Record<NonNullable<ApprovalRecord["decision"]>, string>> = {
  approved: "The call was approved.",
  denied: "The call was denied.",
  text: "The answer was handed on.",
};

/** The acknowledgement of an answer. */
export const wireAnswer = ({ toolCallId, conversationId, decision }: ApprovalRecord) => ({
  success: true,
  toolCallId,
  conversationId,
  status: "answered",
  decision,
  message: answered[decision ?? "text"],
});
