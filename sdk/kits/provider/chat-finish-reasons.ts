import type { FinishReason } from "@pergola/sdk";

/**
 * What a `finish_reason` of a chat completion means, as any vendor calls it: that the answer was cut or
 * filtered, or the HTTP status of a failure. All others (`stop`, `tool_calls`, `function_call`, unknown ones)
 * say that the answer is whole.
 */
export const chatFinishReasons: Readonly<Record<string, FinishReason | number>> = {
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  content_filter: "content_filter",
  sensitive: "content_filter",
  safety: "content_filter",
  refusal: "content_filter",
  error: 502,
  network_error: 502,
  abort: 503,
  insufficient_system_resource: 503,
};
