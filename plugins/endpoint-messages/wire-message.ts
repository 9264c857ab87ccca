import { parseJson } from "@pergola/kit-provider";
import {
  isObject,
  metadataOf,
  parseArguments,
  type FinishReason,
  type JsonObject,
  type LiveRun,
  type RunOutcome,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";

/** One run, one message: whoever follows it, and how often, sees the same id. */
export const messageId = ({ id }: LiveRun): string => `msg_${id.slice("run_".length, "run_".length + 24)}`;

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

/** How a message ended; which stop sequence ended it, providers do not tell. */
export const stopOf = ({ finishReason }: Pick<RunOutcome, "finishReason">) => ({
  stop_reason: stopReasons[finishReason],
  stop_sequence: null,
});

/**
 * In this format the input that came from a cache is not part of `input_tokens`; what was written to one,
 * providers do not tell apart.
 */
export const usageOf = ({ promptTokens, completionTokens, cachedTokens }: Usage) => ({
  input_tokens: Math.max(0, promptTokens - (cachedTokens ?? 0)),
  cache_creation_input_tokens: null,
  cache_read_input_tokens: cachedTokens ?? null,
  output_tokens: completionTokens,
});

const isReadable = (text: string): boolean => isObject(parseJson(text || "{}"));

/** The arguments of a call as JSON text, whatever the model has written. */
export function argumentsText({ arguments: text }: ToolCall): string {
  if (isReadable(text)) return text;
  return JSON.stringify({ raw: text });
}

/** The arguments of a call as an object; those that are none as they came, under `raw`. */
const inputOf = (call: ToolCall): JsonObject => parseArguments(argumentsText(call));

/** In a stream, what begins like an object is on its way before it turns out to be none. */
const handedOnAs = (args: string, streamed: boolean): string =>
  streamed && args.trimStart().startsWith("{") ? "they came" : '{"raw": text}';

/** The metadata of an answer, with a warning of each call whose arguments are not what the format wants. */
export function serviceMetadata(outcome: RunOutcome, { streamed = false } = {}) {
  const metadata = metadataOf(outcome);
  const odd = outcome.callerCalls.filter((call) => !isReadable(call.arguments));
  const warnings = odd.map(
    ({ name, arguments: args }) =>
      `the arguments of ${name} are no JSON object; they were handed on as ${handedOnAs(args, streamed)}`,
  );
  return { ...metadata, warnings: [...metadata.warnings, ...warnings] };
}

/** Thoughts are shown, but not signed: what a provider signed stays with the service. */
export const thinkingBlock = (thinking: string) => ({ type: "thinking", thinking, signature: "" });
export const textBlock = (text: string) => ({ type: "text", text, citations: null });
export const toolBlock = ({ id, name }: Pick<ToolCall, "id" | "name">, input: JsonObject) => ({
  type: "tool_use",
  id,
  name,
  input,
  caller: { type: "direct" },
});

/** The message object of an answer that has begun. */
export const messageHead = (id: string, model: string, usage: Usage) => ({
  id,
  type: "message",
  role: "assistant",
  model,
  content: [] as readonly object[],
  stop_reason: null as string | null,
  stop_sequence: null,
  usage: usageOf(usage),
});

function* blocksOf(
  { text, reasoning, callerCalls }: RunOutcome,
  includeReasoning: boolean,
): Iterable<object> {
  if (includeReasoning && reasoning !== "") yield thinkingBlock(reasoning);
  if (text !== "") yield textBlock(text);
  for (const call of callerCalls) yield toolBlock(call, inputOf(call));
}

/** The whole message of a run. */
export function messageOf(outcome: RunOutcome, id: string, includeReasoning: boolean) {
  const { run, answeredBy } = outcome;
  return {
    ...messageHead(id, answeredBy?.modelId ?? run.model, run.usage),
    content: [...blocksOf(outcome, includeReasoning)],
    ...stopOf(outcome),
    service_metadata: serviceMetadata(outcome),
  };
}
