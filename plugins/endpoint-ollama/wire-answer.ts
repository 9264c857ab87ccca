import { isObject, metadataOf, type FinishReason, type RunOutcome, type ToolCall } from "@pergola/sdk";
import { parseJson } from "@pergola/kit-provider";

/** A piece of an answer, or all of it. */
export interface Part {
  readonly text: string;
  readonly thinking?: string | undefined;
  readonly calls?: readonly ToolCall[] | undefined;
}

/** The fields of a line that hold a piece of the answer: each of the two routes has its own. */
export type PartFields = (part: Part) => object;

/** The arguments of a call as an object; those that are none as they came, under `raw`. */
function wireCall({ id, name, arguments: text }: ToolCall) {
  const args = parseJson(text || "{}");
  return { id, function: { name, arguments: isObject(args) ? args : { raw: text } } };
}

export const chatFields: PartFields = ({ text, thinking, calls }) => ({
  message: {
    role: "assistant",
    content: text,
    thinking: thinking || undefined,
    tool_calls: calls?.map(wireCall),
  },
});

export const generateFields: PartFields = ({ text, thinking }) => ({
  response: text,
  thinking: thinking || undefined,
});

/** The format has no reasons of its own for calls and for what a filter has cut. */
const doneReasons: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  tool_calls: "stop",
  content_filter: "stop",
};

const nanoseconds = (seconds: number): number => Math.max(1, Math.round(seconds * 1e9));

/** How the answer ended, and what it took. `toFirst`: seconds until the model's first word. */
export function doneFields(outcome: RunOutcome, toFirst: number) {
  const { run, duration, finishReason } = outcome;
  const reading = Math.min(toFirst, duration);
  return {
    done: true,
    done_reason: doneReasons[finishReason],
    total_duration: nanoseconds(duration),
    load_duration: 0,
    prompt_eval_count: run.usage.promptTokens,
    prompt_eval_duration: nanoseconds(reading),
    eval_count: run.usage.completionTokens,
    eval_duration: nanoseconds(duration - reading),
    service_metadata: metadataOf(outcome),
  };
}
