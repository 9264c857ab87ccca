import { defined, type JsonObject, type ModelCall, type Thinking } from "@pergola/sdk";
import type { Warn } from "@pergola/kit-provider";
import type { ModelTraits } from "./model-traits.ts";

/** Tokens that stand for an effort, and the other way round. */
const budgets = { low: 1024, medium: 8192, high: 24_576 } as const;

function levelFor({ effort, budgetTokens }: Thinking): Thinking["effort"] {
  if (effort !== undefined || budgetTokens === undefined) return effort;
  return (["low", "medium"] as const).find((name) => budgetTokens <= budgets[name]) ?? "high";
}

function budgetFor({ effort, budgetTokens }: Thinking, { least, most }: ModelTraits["budget"]) {
  const budget = budgetTokens ?? (effort && budgets[effort]);
  if (budget === undefined) return undefined;
  return Math.min(most, Math.max(least, budget));
}

function leastThinking(model: string, { thinking, budget }: ModelTraits, warn: Warn): JsonObject {
  if (thinking === "level" || budget.least > 0)
    warn(`thinking cannot be switched off for ${model}; it was asked for as little as can be`);
  if (thinking === "level") return { thinkingLevel: "low" };
  return { thinkingBudget: budget.least };
}

/** `generationConfig.thinkingConfig` for a wish to think; undefined where there is nothing to say. */
export function buildThinking(
  { thinking, model }: ModelCall,
  traits: ModelTraits,
  warn: Warn,
): JsonObject | undefined {
  if (thinking === undefined) return undefined;
  if (traits.thinking === "none") {
    if (thinking.mode === "enabled")
      warn(`thinking enabled was left out: Gemini does not take it for ${model}`);
    return undefined;
  }
  if (thinking.mode === "disabled") return leastThinking(model, traits, warn);
  const config: JsonObject = { includeThoughts: true };
  if (thinking.mode === "adaptive") return config;
  if (traits.thinking === "level") return defined({ ...config, thinkingLevel: levelFor(thinking) });
  return defined({ ...config, thinkingBudget: budgetFor(thinking, traits.budget) });
}
