import type { JsonObject, Thinking } from "@pergola/sdk";

/**
 * How a vendor is told to think: `effort` = `reasoning_effort`; `effort-or-none` = the same, where "none"
 * switches it off; `switch` = `thinking: { type }`; `object` = `reasoning: { … }`; `template` = an argument
 * of the chat template; `always` = it cannot be told.
 */
export type ThinkingStyle = "effort" | "effort-or-none" | "switch" | "object" | "template" | "always";

type Builder = (thinking: Thinking, on: boolean) => JsonObject | undefined;

function effort({ effort: wanted }: Thinking, on: boolean): JsonObject | undefined {
  if (!on) return undefined;
  return wanted === undefined ? {} : { reasoning_effort: wanted };
}

function reasoningObject({ budgetTokens, effort: wanted }: Thinking, on: boolean): JsonObject {
  if (!on) return { reasoning: { enabled: false } };
  if (budgetTokens !== undefined) return { reasoning: { max_tokens: budgetTokens } };
  return { reasoning: wanted === undefined ? { enabled: true } : { effort: wanted } };
}

const builders: Readonly<Record<ThinkingStyle, Builder>> = {
  effort,
  "effort-or-none": (thinking, on) =>
    on ? { reasoning_effort: thinking.effort ?? "medium" } : { reasoning_effort: "none" },
  switch: (_, on) => ({ thinking: { type: on ? "enabled" : "disabled" } }),
  object: reasoningObject,
  template: (_, on) => ({ chat_template_kwargs: { enable_thinking: on } }),
  always: (_, on) => (on ? {} : undefined),
};

/**
 * The body's fields for a wish to think; undefined when the vendor cannot be told. `adaptive` leaves it to
 * the model.
 */
export const buildThinking = (style: ThinkingStyle, thinking: Thinking): JsonObject | undefined =>
  thinking.mode === "adaptive" ? {} : builders[style](thinking, thinking.mode === "enabled");
