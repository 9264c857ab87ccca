import type { Usage } from "../contract/provider.ts";
import type { RunRecord } from "../contract/run.ts";
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

/** Two amounts of USD, added and rounded to 10⁻¹² USD, so that 0.1 and 0.2 are 0.3. */
export const sumOfCost = (a: number, b: number): number => Math.round((a + b) * 1e12) / 1e12;

/** What a run has cost, in USD; null where that is not known of every model that answered. */
export function costUsd({ cost, lacksPrice, usage }: RunRecord): number | null {
  const isUnknown = lacksPrice ?? (cost === 0 && usage.promptTokens + usage.completionTokens > 0);
  return isUnknown ? null : cost;
}
