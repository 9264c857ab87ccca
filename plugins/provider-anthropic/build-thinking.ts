import type { JsonObject, Thinking } from "@pergola/sdk";
import type { ModelTraits } from "./model-traits.ts";

/** The fewest tokens of thinking that the vendor takes. */
const fewest = 1024;

/** Tokens for a wish in words. */
const budgets: Readonly<Record<NonNullable<Thinking["effort"]>, number>> = {
  low: 2048,
  medium: 8192,
  high: 24_576,
};

export interface WireThinking {
  /** `thinking` and `output_config` of the body. */
  readonly fields: JsonObject;
  readonly on: boolean;
  readonly maxTokens: number;
}

/** Thinking counts as output: where the budget leaves no room for an answer, the limit is raised by it. */
function budgeted(
  { budgetTokens, effort = "medium" }: Thinking,
  maxTokens: number,
  traits: ModelTraits,
): WireThinking {
  const wanted = Math.max(fewest, budgetTokens ?? budgets[effort]);
  const limit =
    wanted < maxTokens
      ? maxTokens
      : Math.max(maxTokens, Math.min(wanted + maxTokens, traits.maxOutputTokens));
  const budget = wanted < limit ? wanted : Math.max(fewest, limit - fewest);
  return {
    fields: { thinking: { type: "enabled", budget_tokens: budget } },
    on: true,
    maxTokens: Math.max(limit, budget + 1),
  };
}

const adaptive = ({ effort }: Thinking, maxTokens: number, traits: ModelTraits): WireThinking => ({
  fields: {
    thinking: { type: "adaptive", display: "summarized" },
    ...(effort !== undefined && traits.effort ? { output_config: { effort } } : {}),
  },
  on: true,
  maxTokens,
});

/**
 * What a wish to think becomes. `adaptive` leaves it to the model; where it has no such way, nothing is sent.
 */
export function buildThinking(
  thinking: Thinking | undefined,
  maxTokens: number,
  traits: ModelTraits,
  warn: (text: string) => void,
): WireThinking {
  const off: WireThinking = { fields: {}, on: false, maxTokens };
  if (thinking === undefined) return off;
  const { mode, budgetTokens } = thinking;
  if (mode === "disabled") {
    if (traits.canStop)
      return traits.thinking === "none" ? off : { ...off, fields: { thinking: { type: "disabled" } } };
    warn("thinking disabled was left out: the model cannot be kept from it");
    return off;
  }
  if (mode === "adaptive")
    return traits.thinking === "adaptive" || traits.thinking === "both"
      ? adaptive(thinking, maxTokens, traits)
      : off;
  if (traits.thinking === "none") {
    warn("thinking enabled was left out: the model cannot think");
    return off;
  }
  const counted = traits.thinking === "budget" || (traits.thinking === "both" && budgetTokens !== undefined);
  if (counted) return budgeted(thinking, maxTokens, traits);
  if (budgetTokens !== undefined)
    warn("budget_tokens was left out: the model chooses by itself how much it thinks");
  return adaptive(thinking, maxTokens, traits);
}
