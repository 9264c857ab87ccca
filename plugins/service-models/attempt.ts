import {
  AppError,
  defined,
  type ChatMessage,
  type ModelCall,
  type ModelEntry,
  type ModelEvent,
  type ModelInfo,
  type Sampling,
} from "@pergola/sdk";
import { contentText, hasImage } from "@pergola/kit-provider";
import { withFormatInWords } from "./format-in-words.ts";
import { withPromptTools } from "./prompt-tools.ts";
import type { ProviderInstance } from "./provider-instance.ts";
import { readWrittenCalls } from "./written-calls.ts";

const retried = new Set([408, 429, 500, 502, 503, 504]);

/** A longer wait that a provider asks for counts as a failure. Seconds. */
const longestWait = 60;

/** What a model is asked, before a model is chosen. */
export type ModelRequest = Omit<ModelCall, "model">;

/** A model and the provider that has it. */
export interface Target {
  readonly entry: ModelEntry;
  readonly instance: Pick<ProviderInstance, "open" | "settings">;
  /** What is known of the model; the rest of the entry is guessed. */
  readonly facts: Partial<ModelInfo>;
}

/** What is sent where nobody says anything. */
const defaults = { temperature: 0.7, topP: 1, maxTokens: 2000 } as const;

/**
 * What the request or the conversation asks for, else the provider's setting, else the default; never more
 * tokens than the model can put out. A bypassed call is left as it is, and one with tools of the caller gets
 * no defaults and no guessed limit: agents write whole files in one call.
 */
function samplingFor(
  { sampling: asked, defaultedSampling = [], tools, raw }: ModelRequest,
  { entry, instance, facts }: Target,
): Pick<ModelCall, "sampling" | "defaultedSampling"> {
  if (raw !== undefined) return { sampling: asked };
  const { settings } = instance;
  const own = defined({ temperature: settings.temperature, maxTokens: settings.maxTokens });
  const set: Sampling = { ...own, ...asked };
  const hasOwnTools = tools.some(({ callers }) => callers === true);
  const sampling: Sampling = hasOwnTools ? set : { ...defaults, ...set };
  const { maxOutputTokens } = hasOwnTools ? facts : entry;
  const maxTokens = sampling.maxTokens && Math.min(sampling.maxTokens, maxOutputTokens ?? Infinity);
  const isDefault = (key: "temperature" | "topP"): boolean => !hasOwnTools && set[key] === undefined;
  return {
    sampling: { ...sampling, ...defined({ maxTokens }) },
    defaultedSampling: [...defaultedSampling, ...(["temperature", "topP"] as const).filter(isDefault)],
  };
}

/**
 * The result of one of the service's own tools for a model of which nobody says that it sees pictures: the
 * text says what they are. What a caller's tool returns is the caller's business.
 */
function withoutPictures(message: ChatMessage): ChatMessage {
  if (message.role !== "tool" || !hasImage(message)) return message;
  const text = contentText(message.content);
  if (!/^\{"success":/.test(text)) return message;
  return { ...message, content: text };
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
  target: Target,
  call: ModelRequest,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<Beginning> {
  const { entry, instance } = target;
  const own = {
    ...call,
    messages: entry.supportsVision ? call.messages : call.messages.map(withoutPictures),
    model: entry.name,
    ...samplingFor(call, target),
  };
  const needsPromptTools = !entry.supportsTools && own.tools.length > 0 && own.raw === undefined;
  const provider = await instance.open();
  const formed = withFormatInWords(own, provider);
  let answer: AsyncIterable<ModelEvent>;
  if (needsPromptTools) answer = readWrittenCalls(provider.stream(withPromptTools(formed), signal));
  else answer = provider.stream(formed, signal);
  const rest = answer[Symbol.asyncIterator]();
  for (;;) {
    const first = await rest.next();
    if (first.done === true || first.value.type !== "warning") return { first, rest };
    warn(first.value.text);
  }
}

/**
 * Seconds before the next try: what the provider asks for, or 2, 4, 6 … with 20 % jitter; undefined when
 * there is none, or when it would take longer than the `left` seconds.
 */
export function waitBefore(
  attempt: number,
  error: unknown,
  left: number,
  random: () => number,
): number | undefined {
  if (!AppError.is(error)) return undefined;
  const { retryable, status } = error.details ?? {};
  if (retryable !== true && !retried.has(Number(status))) return undefined;
  const wait = error.retryAfter ?? 2 * attempt * (0.8 + 0.4 * random());
  if (wait > longestWait || wait > left) return undefined;
  return wait;
}
