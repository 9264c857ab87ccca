import { AppError, defined, type Sampling } from "@pergola/sdk";
import { fieldFault, type Warn } from "@pergola/kit-provider";
import type { ChatBody } from "./body-schema.ts";
import { toolChoiceOf } from "./read-tools.ts";

const ranges = {
  temperature: [0, 2],
  top_p: [0, 1],
  max_tokens: [1, Number.POSITIVE_INFINITY],
  presence_penalty: [-2, 2],
  frequency_penalty: [-2, 2],
} as const;

type Ranged = keyof typeof ranges;

/** What the format has and no provider can be asked for through a run. */
const unsupported = ["logprobs", "top_logprobs", "logit_bias"] as const;

/** Fields of the format's first form of tools, whose calls have no ids, and what has replaced them. */
const replaced = { functions: "tools", function_call: "tool_choice" } as const;

/** The values are checked here and not by the schema: a bypassed request has the provider's ranges. */
function checkRange(key: Ranged, value: number | null | undefined): void {
  const [least, most] = ranges[key];
  if (value === undefined || value === null || (value >= least && value <= most)) return;
  const rule = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `between ${least} and ${most}`;
  throw new AppError({ code: "out_of_range", message: `${key} must be ${rule}.`, param: key });
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** In this format null is a field that is absent. */
const withoutNulls = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as {
    readonly [K in keyof T]: Exclude<T[K], null>;
  };

/**
 * The sampling fields of a request. Throws `out_of_range` and `invalid_value` naming the field; warns of what
 * the format has and nobody here takes.
 */
export function readSampling(body: ChatBody, warn: Warn): Sampling {
  for (const key of Object.keys(ranges) as Ranged[]) checkRange(key, body[key]);
  if ((body.n ?? 1) !== 1) throw fieldFault("n", "must be 1: there is one answer to a request");
  for (const [key, successor] of Object.entries(replaced)) {
    if (isSet(body[key as keyof typeof replaced]))
      throw fieldFault(key, `is not taken any more; use ${successor}, which says the same`);
  }
  for (const key of unsupported) {
    if (isSet(body[key])) warn(`${key} was left out: it is only handed on with bypass_processing`);
  }
  const given = withoutNulls(body);
  return defined({
    temperature: given.temperature,
    topP: given.top_p,
    maxTokens: given.max_tokens,
    repetitionPenalty: given.repetition_penalty,
    presencePenalty: given.presence_penalty,
    frequencyPenalty: given.frequency_penalty,
    stop: given.stop,
    seed: given.seed,
    responseFormat: given.response_format,
    toolChoice: toolChoiceOf(given.tool_choice),
    parallelToolCalls: given.parallel_tool_calls,
    user: given.user,
  });
}
