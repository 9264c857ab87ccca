import type { FinishReason } from "@pergola/sdk";

/**
 * What `finishReason` means; `failed` where there is no usable answer. Unknown ones end as `stop`, with a
 * warning.
 */
export const finishReasons: Readonly<Record<string, FinishReason | "failed">> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  LANGUAGE: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MODEL_ARMOR: "content_filter",
  IMAGE_SAFETY: "content_filter",
  IMAGE_PROHIBITED_CONTENT: "content_filter",
  IMAGE_RECITATION: "content_filter",
  MALFORMED_FUNCTION_CALL: "failed",
  UNEXPECTED_TOOL_CALL: "failed",
  TOO_MANY_TOOL_CALLS: "failed",
  MALFORMED_RESPONSE: "failed",
  MISSING_THOUGHT_SIGNATURE: "failed",
};
