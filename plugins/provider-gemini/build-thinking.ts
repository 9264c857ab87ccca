import type { JsonObject, ModelCall, Thinking } from "@pergola/sdk";
import type { ModelTraits } from "./model-traits.ts";

type Warn = (text: string) => void;

/** Tokens that stand for an effort, and the other way round. */
const budgets = { low: 1024, medium: 8192, high: 24_576 } as const;

function levelFor({ effort, budgetTokens }: Thinking): JsonObject {
  if (effort !== undefined) return { thinkingLevel: effort };
  if (budgetTokens === undefined) return {};
  const level = (["low", "medium"] as const).find((name) => budgetTokens <= budgets[name]) ?? "high";
  return { thinkingLevel: level };
}

function budgetFor({ effort, budgetTokens }: Thinking, { budget: { least, most } }: ModelTraits): JsonObject {
  const wanted = budgetTokens ?? (effort === undefined ? undefined : budgets[effort]);
  return wanted === undefined ? {} : { thinkingBudget: Math.min(most, Math.max(least, wanted)) };
}

function least(model: string, { thinking, budget }: ModelTraits, warn: Warn): JsonObject {
  if (thinking === "level" || budget.least > 0)
    warn(`thinking cannot be switched off for ${model}; it was asked for as little as can be`);
  return thinking === "level" ? { thinkingLevel: "low" } : { thinkingBudget: budget.least };
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
  if (thinking.mode === "disabled") return least(model, traits, warn);
  if (thinking.mode === "adaptive") return { includeThoughts: true };
  return {
    includeThoughts: true,
    ...(traits.thinking === "level" ? levelFor(thinking) : budgetFor(thinking, traits)),
  };
}
