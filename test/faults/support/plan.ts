import { chatReply, type MockReply, type MockRequest, type ScriptStep } from "@pergola/sdk/testing";

export type Recovery = "once" | "repeat" | "reconcile" | "ask" | "look";

/** A call of the family `effects`, times in milliseconds; one with a `prompt` is a question to the person. */
export interface PlannedCall {
  readonly operation?: Recovery;
  readonly prompt?: string;
  readonly authorize_operation?: string;
  readonly before?: number;
  readonly after?: number;
  readonly hold?: "before" | "after";
  readonly size?: number;
  readonly verdict?: "look" | "unknown" | "fail";
}

/**
 * What the model does with a user message that holds this as JSON: it makes the calls, each turn in one
 * answer, then it says the text.
 */
export interface Plan {
  /** Calls are named after it: `<id>_<turn>_<number>`, from 1. */
  readonly id: string;
  readonly turns?: readonly (readonly PlannedCall[])[];
  /** Milliseconds before the first byte of each answer. */
  readonly think?: number;
  /** Milliseconds between the pieces of each answer. */
  readonly pause?: number;
  /** The answer stops after its first word, until the script is let go on. */
  readonly waits?: boolean;
}

interface Sent {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly unknown[];
}

export const callIdOf = ({ id }: Plan, turn = 1, number = 1): string => `${id}_${turn}_${number}`;
export const finalText = ({ id }: Plan): string => `Finished ${id}, all of it.`;

/** The plan of the newest user message, and how many of its turns the model has taken. */
export function planOf({ body }: Pick<MockRequest, "body">): { readonly plan: Plan; readonly taken: number } {
  const { messages } = body as { readonly messages: readonly Sent[] };
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const json = messages[asked]?.content?.match(/\{"id":[^\n]*\}/g)?.at(-1) ?? "";
  const taken = messages.slice(asked + 1).filter(({ tool_calls: calls = [] }) => calls.length > 0).length;
  return { plan: JSON.parse(json) as Plan, taken };
}

/** A script for any number of conversations at once. */
export const playPlans = (request: MockRequest): MockReply => reply(request, Promise.resolve());

/** The same; what waits goes on once `release` is called. */
export function heldPlans(): { readonly play: typeof playPlans; release(): void } {
  let release!: () => void;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { play: (request) => reply(request, until), release: () => release() };
}

function reply(request: MockRequest, until: Promise<void>): MockReply {
  const { plan, taken } = planOf(request);
  const { turns = [], think = 0, pause = 0, waits = false } = plan;
  const calls = turns[taken]?.map((args, index) => ({
    name: args.prompt === undefined ? "effects" : "user_collaboration",
    arguments: { ...args },
    id: callIdOf(plan, taken + 1, index + 1),
  }));
  const words = (calls === undefined ? finalText(plan) : "I call.").split(/(?<= )/);
  const said = words.flatMap((text, index): ScriptStep[] => [
    { text },
    waits && index === 0 ? { until } : { delayMs: pause },
  ]);
  return chatReply([{ delayMs: think }, ...said, ...(calls === undefined ? [] : [{ toolCalls: calls }])]);
}
