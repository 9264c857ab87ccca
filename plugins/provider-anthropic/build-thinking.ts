import type { JsonObject, Thinking } from "@pergola/sdk";
import type { Warn } from "@pergola/kit-provider";
import type { ModelTraits } from "./model-traits.ts";

/** The fewest tokens of thinking that the vendor takes. */
const fewest = 1024;

/** Tokens for an effort. */
const budgets: Readonly<Record<NonNullable<Thinking["effort"]>, number>> = {
  low: 2048,
  medium: 8192,
  high: 24_576,
};

export interface WireThinking {
  /** `thinking` of the body. */
  readonly field?: JsonObject;
  /** `output_config.effort` of the body. */
  readonly effort?: Thinking["effort"];
  readonly on: boolean;
  readonly maxTokens: number;
}

export const noThinking = (maxTokens: number): WireThinking => ({ on: false, maxTokens });

/** Thinking counts as output: where the budget leaves no room for an answer, the limit is raised by it. */
function budgeted(
  { budgetTokens, effort = "medium" }: Thinking,
  maxTokens: number,
  { maxOutputTokens }: ModelTraits,
): WireThinking {
  const tokens = Math.max(fewest, budgetTokens ?? budgets[effort]);
  const raised = Math.max(maxTokens, Math.min(tokens + maxTokens, maxOutputTokens));
  const limit = tokens < maxTokens ? maxTokens : raised;
  const budget = tokens < limit ? tokens : Math.max(fewest, limit - fewest);
  return {
    field: { type: "enabled", budget_tokens: budget },
    on: true,
    maxTokens: Math.max(limit, budget + 1),
  };
}

const adaptive = ({ effort }: Thinking, maxTokens: number, traits: ModelTraits): WireThinking => ({
  field: { type: "adaptive", display: "summarized" },
  ...(traits.effort && { effort }),
  on: true,
  maxTokens,
});

function disabled(maxTokens: number, { canStop, thinking }: ModelTraits, warn: Warn): WireThinking {
  const off = noThinking(maxTokens);
  if (!canStop) warn("thinking disabled was left out: the model cannot be kept from it");
  if (!canStop || thinking === "none") return off;
  return { ...off, field: { type: "disabled" } };
}

function enabled(thinking: Thinking, maxTokens: number, traits: ModelTraits, warn: Warn): WireThinking {
  const isCounted = thinking.budgetTokens !== undefined;
  if (traits.thinking === "none") {
    warn("thinking enabled was left out: the model cannot think");
    return noThinking(maxTokens);
  }
  if (traits.thinking === "budget" || (traits.thinking === "both" && isCounted)) {
    return budgeted(thinking, maxTokens, traits);
  }
  if (isCounted) warn("budget_tokens was left out: the model chooses by itself how much it thinks");
  return adaptive(thinking, maxTokens, traits);
}

/**
 * What a wish to think becomes. `adaptive` leaves it to the model; where it has no such way, nothing is sent.
 */
export function buildThinking(
  thinking: Thinking | undefined,
  maxTokens: number,
  traits: ModelTraits,
  warn: Warn,
): WireThinking {
  if (thinking?.mode === "disabled") return disabled(maxTokens, traits, warn);
  if (thinking?.mode === "enabled") return enabled(thinking, maxTokens, traits, warn);
  const canAdapt = traits.thinking === "adaptive" || traits.thinking === "both";
  if (thinking === undefined || !canAdapt) return noThinking(maxTokens);
  return adaptive(thinking, maxTokens, traits);
}
