import {
  AppError,
  type ModelCall,
  type ModelEntry,
  type ModelEvent,
  type ProviderSettings,
  type Sampling,
} from "@pergola/sdk";
import { withPromptTools } from "./prompt-tools.ts";
import type { ProviderInstance } from "./provider-instance.ts";
import { readWrittenCalls } from "./written-calls.ts";

const retried = new Set([408, 429, 500, 502, 503, 504]);

/** A longer wait that a provider asks for counts as a failure. Seconds. */
const longestWait = 60;

/**
 * What the request or the conversation asks for, else the provider's setting, else the usual; never more than
 * the model can put out.
 */
function samplingFor(
  asked: Sampling,
  { maxOutputTokens }: ModelEntry,
  own: ProviderSettings,
): Pick<ModelCall, "sampling" | "unasked"> {
  const set = { ...(own.temperature !== undefined && { temperature: own.temperature }), ...asked };
  const sampling = { temperature: 0.7, topP: 1, maxTokens: own.maxTokens ?? 2000, ...set };
  return {
    sampling: { ...sampling, maxTokens: Math.min(sampling.maxTokens, maxOutputTokens) },
    unasked: (["temperature", "topP"] as const).filter((key) => set[key] === undefined),
  };
}

/** An answer that has begun: after it, nothing is tried again. */
export interface Beginning {
  readonly first: IteratorResult<ModelEvent>;
  readonly rest: AsyncIterator<ModelEvent>;
}

/**
 * One try of one model, up to the first event of its answer. Warnings come before the provider is asked, so
 * they are no beginning.
 */
export async function beginAnswer(
  instance: ProviderInstance,
  entry: ModelEntry,
  call: Omit<ModelCall, "model">,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<Beginning> {
  const own = { ...call, model: entry.name, ...samplingFor(call.sampling, entry, instance.settings) };
  const inPrompt = !entry.supportsTools && own.tools.length > 0 && own.raw === undefined;
  const answer = (await instance.open()).stream(inPrompt ? withPromptTools(own) : own, signal);
  const rest = (inPrompt ? readWrittenCalls(answer) : answer)[Symbol.asyncIterator]();
  for (;;) {
    const first = await rest.next();
    if (first.done === true || first.value.type !== "warning") return { first, rest };
    warn(first.value.text);
  }
}

/**
 * Seconds before the next try: what the provider asks for, or 2, 4, 6 … with 20 % jitter; undefined when
 * there is none.
 */
export function waitBefore(
  attempt: number,
  error: unknown,
  waited: number,
  most: number,
  random: () => number,
): number | undefined {
  if (!AppError.is(error)) return undefined;
  if (error.details?.["retryable"] !== true && !retried.has(Number(error.details?.["status"])))
    return undefined;
  const wait = error.retryAfter ?? 2 * attempt * (0.8 + 0.4 * random());
  return wait > longestWait || waited + wait > most ? undefined : wait;
}
