import {
  metadataOf,
  type AppError,
  type JsonObject,
  type RunLog,
  type RunOutcome,
  type RunRecord,
  type Usage,
} from "@pergola/sdk";
import type { ResponseBody } from "./body-schema.ts";
import { responseIdOf } from "./ids.ts";

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

/** The statuses of a response whose run has ended. */
export type EndStatus = "completed" | "incomplete" | "failed" | "cancelled";

/** The status of a response whose run has ended. */
export function statusOf({ error, run, finishReason }: RunOutcome): EndStatus {
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
  background: false,
  instructions: null,
  max_output_tokens: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: {},
  store: true,
  temperature: null,
  text: {},
  tool_choice: "auto",
  tools: [],
  top_p: null,
  user: null,
  metadata: {},
} as const satisfies Partial<Record<keyof ResponseBody, unknown>>;

/**
 * What the Open Responses specification wants in every response, and nobody here takes from a request:
 * clients that check their answers take none without.
 */
const constants = {
  completed_at: null,
  frequency_penalty: 0,
  presence_penalty: 0,
  top_logprobs: 0,
  max_tool_calls: null,
  service_tier: "default",
  safety_identifier: null,
  prompt_cache_key: null,
} as const;

type Echo = Pick<ResponseBody, keyof typeof defaults>;

/** The key of a run's annotations under which its response is. */
const key = "response";

/** What a run has to remember of the request that began it. */
export function annotationsOf(body: ResponseBody): JsonObject {
  const given = Object.keys(defaults).map((name) => [name, body[name as keyof Echo]] as const);
  const response = Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
  return { [key]: response as JsonObject };
}

/** The annotations of a response that was deleted. */
export const deleted: JsonObject = { [key]: { store: false } };

/** The request's own fields, as far as the run was begun by one of this format. */
export const echoOf = ({ annotations }: Pick<RunRecord, "annotations">): Echo =>
  (annotations?.[key] ?? {}) as Echo;

/** A run, as far as its response tells of it. */
export type RunFacts = Pick<RunLog, "id" | "conversationId" | "record" | "model">;

const statuses: Readonly<Record<Exclude<RunRecord["status"], "ended">, string>> = {
  queued: "queued",
  running: "in_progress",
  waiting: "in_progress",
  interrupted: "incomplete",
};

/**
 * The `response` object, as it stands while the run works or as its outcome leaves it. An interrupted run is
 * incomplete until it is resumed: nobody works on it.
 */
export function responseOf(run: RunFacts, output: readonly object[], outcome?: RunOutcome) {
  const { record } = run;
  const echo = echoOf(record);
  const conversationId = echo.store === false ? null : run.conversationId;
  const isInterrupted = record.status === "interrupted";
  return {
    id: responseIdOf(run.id),
    object: "response",
    created_at: seconds(record.createdAt),
    status: record.status === "ended" ? "in_progress" : statuses[record.status],
    error: null,
    incomplete_details: isInterrupted ? { reason: "interrupted" } : null,
    ...constants,
    ...defaults,
    ...echo,
    model: run.model.modelId,
    output,
    conversation: conversationId === null ? null : { id: conversationId },
    reasoning: { effort: echo.reasoning?.effort ?? null, summary: echo.reasoning?.summary ?? null },
    text: { format: echo.text?.format ?? { type: "text" } },
    truncation: "disabled",
    usage: null,
    ...(outcome && endOf(outcome, conversationId)),
  };
}
