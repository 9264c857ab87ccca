import type { Usage } from "../contract/provider.ts";
import type { ModelDetails } from "../contract/run-outcome.ts";

/** USD: tokens × price per 1,000 tokens; 0 for a model whose prices nobody knows. */
export function costOf(
  { prices }: Pick<ModelDetails, "prices">,
  { promptTokens, completionTokens, cachedTokens = 0 }: Usage,
): number {
  if (prices === undefined) return 0;
  const { prompt, completion, cached = prompt } = prices;
  const cachedPrompt = Math.min(cachedTokens, promptTokens);
  return (
    ((promptTokens - cachedPrompt) * prompt + cachedPrompt * cached + completionTokens * completion) / 1000
  );
}
