import { AppError } from "../contract/errors.ts";
import { defined } from "../util/defined.ts";
import { pick } from "../util/pick.ts";
import type { Usage } from "../contract/provider.ts";
import type { ApprovalRecord, RunRecord } from "../contract/run.ts";
import type { AnswerInput } from "../contract/services.ts";
import { costUsd } from "./run-cost.ts";
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
  ...pick(
    run,
    "id",
    "conversationId",
    "parentRunId",
    "kind",
    "status",
    "model",
    "provider",
    "iterations",
    "error",
    "pendingToolCallIds",
    "createdAt",
    "startedAt",
    "endedAt",
  ),
  completion_reason: run.completionReason,
  max_iterations: run.maxIterations,
  tool_call_count: run.toolCallCount,
  tools_used: run.toolsUsed,
  had_errors: run.hadErrors,
  usage: wireUsage(run.usage),
  costUsd: costUsd(run),
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

const acknowledgements: Readonly<Record<NonNullable<ApprovalRecord["decision"]>, string>> = {
  approved: "The call was approved.",
  denied: "The call was denied.",
  text: "The answer was handed on.",
};

/** The acknowledgement of an answer. */
export const wireAnswer = (approval: ApprovalRecord) => ({
  ...pick(approval, "toolCallId", "conversationId", "decision"),
  success: true,
  status: "answered",
  message: acknowledgements[approval.decision ?? "text"],
});
