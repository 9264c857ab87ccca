import type { Usage } from "@pergola/sdk";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;

const inside = (usage: Fields, group: string, name: string): number | undefined => {
  const fields = usage[group];
  return isObject(fields) ? count(fields[name]) : undefined;
};

/** A `usage` object as the vendors write it; undefined when it counts nothing. */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const promptTokens = count(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const completionTokens = count(usage["completion_tokens"] ?? usage["output_tokens"]);
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const cachedTokens =
    inside(usage, "prompt_tokens_details", "cached_tokens") ??
    inside(usage, "input_tokens_details", "cached_tokens") ??
    count(usage["prompt_cache_hit_tokens"]) ??
    count(usage["cached_tokens"]);
  const reasoningTokens =
    inside(usage, "completion_tokens_details", "reasoning_tokens") ??
    inside(usage, "output_tokens_details", "reasoning_tokens") ??
    count(usage["reasoning_tokens"]);
  return {
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
