import { fieldFault } from "@pergola/kit-provider";
import { defined, type Thinking } from "@pergola/sdk";
import type { ChatBody, ServiceConfig } from "./body-schema.ts";

/** The words of `reasoning_effort`; `none` stands for no reasoning at all. */
const efforts: ReadonlyMap<string, Thinking["effort"]> = new Map([
  ["none", undefined],
  ["minimal", "low"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "high"],
  ["max", "high"],
]);

interface Wish {
  readonly enabled?: boolean;
  readonly effort?: Thinking["effort"];
  readonly budget_tokens?: number;
}

/** What `reasoning` and `reasoning_effort` say together; the first wins. */
function wishOf({ reasoning, reasoning_effort: word }: ChatBody): Wish | undefined {
  if (typeof reasoning === "boolean") return { enabled: reasoning };
  if (typeof word === "string" && !efforts.has(word))
    throw fieldFault("reasoning_effort", `must be one of ${[...efforts.keys()].join(", ")}`);
  const { enabled, effort, budget_tokens: budget } = reasoning ?? {};
  const chosen = effort ?? word ?? "";
  if (!reasoning && chosen === "") return undefined;
  return defined({
    enabled: enabled ?? (chosen === "none" ? false : undefined),
    effort: efforts.get(chosen),
    budget_tokens: budget ?? undefined,
  });
}

/** How much the request wants the model to reason; undefined leaves it to the model. */
export function readThinking(
  body: ChatBody,
  { thinking, enable_reasoning: enabled }: ServiceConfig,
): Thinking | undefined {
  const wish = wishOf(body);
  const { include_thinking: _, ...asked } = defined({ ...thinking });
  if (Object.keys(asked).length === 0 && wish === undefined && enabled !== false) return undefined;
  const isOff = enabled === false || wish?.enabled === false;
  const { mode, budget_tokens: budgetTokens, effort } = { ...wish, ...asked };
  return defined({ mode: mode ?? (isOff ? "disabled" : "enabled"), budgetTokens, effort });
}
