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
]);

interface Wish {
  readonly enabled?: boolean;
  readonly effort?: Thinking["effort"];
  readonly budget_tokens?: number;
}

/** What `reasoning` and `reasoning_effort` say together; the first wins. */
function wishOf({ reasoning, reasoning_effort: word }: ChatBody): Wish | undefined {
  if (typeof reasoning === "boolean" || word === undefined || word === null)
    return typeof reasoning === "boolean" ? { enabled: reasoning } : reasoning;
  if (!efforts.has(word))
    throw fieldFault("reasoning_effort", `must be one of ${[...efforts.keys()].join(", ")}`);
  return {
    ...defined({ enabled: word === "none" ? false : undefined, effort: efforts.get(word) }),
    ...reasoning,
  };
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
