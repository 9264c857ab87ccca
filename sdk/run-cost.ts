import type { Usage } from "./provider.ts";
import type { AnsweredBy, RunRecord } from "./run.ts";

/** USD: tokens × price per 1,000 tokens; 0 for a model whose prices nobody knows. */
export const costOf = ({ prices }: Pick<AnsweredBy, "prices">, { promptTokens, completionTokens }: Usage): number =>
  prices === undefined ? 0 : (promptTokens * prices.prompt + completionTokens * prices.completion) / 1000;

/** USD that a run has cost so far: its own tokens at the prices of its model, and what its sub-agents have cost. */
export function costOfRun(model: Pick<AnsweredBy, "prices">, { usage, agents }: Pick<RunRecord, "usage" | "agents">): number {
  if (agents === undefined) return costOf(model, usage);
  const promptTokens = usage.promptTokens - agents.promptTokens;
  const completionTokens = usage.completionTokens - agents.completionTokens;
  return costOf(model, { promptTokens, completionTokens }) + agents.cost;
}
