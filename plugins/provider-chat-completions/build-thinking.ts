import { defined, type JsonObject, type Thinking } from "@pergola/sdk";

/** The fields for a wish to think, or not to; undefined where the vendor has none. */
interface ThinkingFields {
  readonly on: (thinking: Thinking) => JsonObject | undefined;
  readonly off: JsonObject | undefined;
}

function reasoningOf({ budgetTokens, effort }: Thinking): JsonObject {
  if (budgetTokens !== undefined) return { max_tokens: budgetTokens };
  if (effort === undefined) return { enabled: true };
  return { effort };
}

const styles = {
  /** `reasoning_effort`. */
  effort: {
    on: ({ effort }) => defined({ reasoning_effort: effort }),
    off: undefined,
  },
  /** The same, where "none" switches thinking off. */
  "effort-or-none": {
    on: ({ effort = "medium" }) => ({ reasoning_effort: effort }),
    off: { reasoning_effort: "none" },
  },
  /** `thinking: { type }`. */
  switch: {
    on: () => ({ thinking: { type: "enabled" } }),
    off: { thinking: { type: "disabled" } },
  },
  /** `reasoning: { … }`. */
  object: {
    on: (thinking) => ({ reasoning: reasoningOf(thinking) }),
    off: { reasoning: { enabled: false } },
  },
  /** An argument of the chat template. */
  template: {
    on: () => ({ chat_template_kwargs: { enable_thinking: true } }),
    off: { chat_template_kwargs: { enable_thinking: false } },
  },
  /** The vendor cannot be asked either way. */
  always: { on: () => ({}), off: undefined },
} as const satisfies Readonly<Record<string, ThinkingFields>>;

/** How a vendor is asked to think. */
export type ThinkingStyle = keyof typeof styles;

/**
 * The body's fields for a wish to think; undefined when the vendor cannot be asked. `adaptive` leaves it to
 * the model.
 */
export function buildThinking(style: ThinkingStyle, thinking: Thinking): JsonObject | undefined {
  const fields: ThinkingFields = styles[style];
  if (thinking.mode === "adaptive") return {};
  if (thinking.mode === "enabled") return fields.on(thinking);
  return fields.off;
}
