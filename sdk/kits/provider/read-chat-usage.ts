import { isObject, type Usage } from "@pergola/sdk";
import { buildUsage } from "./answer-end.ts";
import { readCount, valueAt, type Fields } from "./json-values.ts";

/** Where servers put each count, the usual place first. */
const places = {
  promptTokens: ["prompt_tokens", "input_tokens"],
  completionTokens: ["completion_tokens", "output_tokens"],
  cachedTokens: [
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cached_tokens",
  ],
  reasoningTokens: [
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "reasoning_tokens",
  ],
} as const;

function firstCount(usage: Fields, paths: readonly string[]): number | undefined {
  const counts = paths.map((path) => readCount(valueAt(usage, path)));
  return counts.find((count) => count !== undefined);
}

/** The `usage` object of a chat completion or a response; undefined when it counts nothing. */
export function readChatUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  return buildUsage({
    promptTokens: firstCount(usage, places.promptTokens),
    completionTokens: firstCount(usage, places.completionTokens),
    cachedTokens: firstCount(usage, places.cachedTokens),
    reasoningTokens: firstCount(usage, places.reasoningTokens),
  });
}
