import type { FinishReason } from "@pergola/sdk";

/**
 * `finish_reason` of a chat completion, as any vendor calls it: a reason, or the HTTP status of the failure
 * that it means. An unknown one counts as `stop`.
 */
export const chatFinishReasons: Readonly<Record<string, FinishReason | number>> = {
  stop: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  tool_use: "tool_calls",
  content_filter: "content_filter",
  sensitive: "content_filter",
  safety: "content_filter",
  refusal: "content_filter",
  error: 502,
  network_error: 502,
  abort: 503,
  insufficient_system_resource: 503,
};
