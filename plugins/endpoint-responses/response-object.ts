import { metadataOf, type AppError, type LiveRun, type RunOutcome, type Usage } from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { responseIdOf } from "./ids.ts";

export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

const wireUsage = ({ promptTokens, completionTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage) => ({
  input_tokens: promptTokens,
  input_tokens_details: { cached_tokens: cachedTokens },
  output_tokens: completionTokens,
  output_tokens_details: { reasoning_tokens: reasoningTokens },
  total_tokens: promptTokens + completionTokens,
});

/** The codes that the format has for failures; the message has the details. */
const wireError = ({ code, message }: AppError) => ({
  code: code === "provider_rate_limited" ? "rate_limit_exceeded" : "server_error",
  message,
});

/** Why a response is incomplete, by the run's reason. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"],
]);

/** The status of a response whose run has ended. */
export function statusOf({ error, run, finishReason }: RunOutcome): ResponseStatus {
  if (error !== null) return "failed";
  if (run.completionReason === "cancelled") return "cancelled";
  if (reasons.has(finishReason)) return "incomplete";
  return "completed";
}

function endOf(outcome: RunOutcome, conversationId: string | null) {
  const { error, finishReason, run, answeredBy } = outcome;
  const status = statusOf(outcome);
  const reason = reasons.get(finishReason);
  return {
    status,
    ...(status === "completed" && run.endedAt !== null && { completed_at: seconds(run.endedAt) }),
    error: error && wireError(error),
    incomplete_details: status === "incomplete" ? { reason } : null,
    model: answeredBy?.modelId ?? run.model,
    usage: wireUsage(run.usage),
    service_metadata: { ...metadataOf(outcome), conversation_id: conversationId },
  };
}

/** What a response repeats of its request, and the defaults of the format. */
const defaults = {
  instructions: null,
  max_output_tokens: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  store: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
  user: null,
  metadata: {},
} as const satisfies Partial<Record<keyof ResponseBody, unknown>>;

const echoOf = (body: ResponseBody): object =>
  Object.fromEntries(
    Object.entries(defaults).map(([key, usual]) => [key, body[key as keyof typeof defaults] ?? usual]),
  );

/** The `response` object, as it stands while the run works or as its outcome leaves it. */
export function responseOf(
  body: ResponseBody,
  live: LiveRun,
  output: readonly object[],
  outcome?: RunOutcome,
) {
  const conversationId = body.store === false ? null : live.conversationId;
  return {
    id: responseIdOf(live.id),
    object: "response",
    created_at: seconds(live.record.createdAt),
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    ...echoOf(body),
    model: live.model.modelId,
    output,
    conversation: conversationId === null ? null : { id: conversationId },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    text: { format: body.text?.format ?? { type: "text" } },
    truncation: "disabled",
    usage: null,
    ...(outcome && endOf(outcome, conversationId)),
  };
}
