import type { ModelEvent } from "@pergola/sdk";
import {
  eventsOf,
  frame,
  jsonReply,
  stepsOf,
  type MockPiece,
  type MockReply,
  type ScriptStep,
  type ScriptTurn,
} from "@pergola/sdk/testing";

const named = (type: string, fields: object): string => `event: ${type}\n${frame({ type, ...fields })}`;

/** A call stands behind the two items of reasoning and text. */
const placeOf = (index: number): number => index + 2;

function eventText(event: ModelEvent): string {
  if (event.type === "text")
    return named("response.output_text.delta", { output_index: 1, content_index: 0, delta: event.text });
  if (event.type === "reasoning")
    return named("response.reasoning_summary_text.delta", {
      output_index: 0,
      summary_index: 0,
      delta: event.text,
    });
  if (event.type !== "tool_call") return "";
  const { index, id, name, arguments: delta = "" } = event;
  const output_index = placeOf(index);
  const item = { type: "function_call", id: `fc_${index}`, call_id: id, name, arguments: "" };
  const opening = name === undefined ? "" : named("response.output_item.added", { output_index, item });
  return (
    opening +
    named("response.function_call_arguments.delta", { output_index, item_id: `other_${index}`, delta })
  );
}

const reasons: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

function closing(events: readonly ModelEvent[]): string {
  const reason = events.find((event) => event.type === "end")?.reason ?? "stop";
  const counted = events.findLast((event) => event.type === "usage")?.usage;
  const usage = counted && {
    input_tokens: counted.promptTokens,
    input_tokens_details: { cached_tokens: counted.cachedTokens },
    output_tokens: counted.completionTokens,
    output_tokens_details: { reasoning_tokens: counted.reasoningTokens },
  };
  const cut = reasons[reason];
  const type = cut === undefined ? "response.completed" : "response.incomplete";
  return named(type, {
    response: { output: [], usage, incomplete_details: cut === undefined ? null : { reason: cut } },
  });
}

const errorOf = ({
  status,
  message = "scripted failure",
}: {
  readonly status: number;
  readonly message?: string;
}) => ({
  message,
  code: status,
});

function errorReply({ error }: Extract<ScriptStep, { error: unknown }>): MockReply {
  const { status, retryAfter } = error;
  const headers: Readonly<Record<string, string>> = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return jsonReply({ error: errorOf(error) }, { status, headers });
}

function piecesOf(step: ScriptStep): readonly MockPiece[] {
  if ("delayMs" in step || "until" in step || "hang" in step) return [step];
  if (!("error" in step)) return eventsOf(step).map(eventText).filter(Boolean);
  return [named("response.failed", { response: { status: "failed", error: errorOf(step.error) } })];
}

/**
 * A scripted turn as a server of the Responses format sends it. A turn that begins with an error is an HTTP
 * error.
 */
export function responsesReply(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) return errorReply(first);
  const isBroken = steps.some((step) => "error" in step || "hang" in step);
  const waits = first !== undefined && ("hang" in first || "delayMs" in first || "until" in first);
  const opening = named("response.created", { response: { status: "in_progress", output: [], error: null } });
  const end = closing(steps.flatMap((step) => [...eventsOf(step)]));
  return { body: [...(waits ? [] : [opening]), ...steps.flatMap(piecesOf), ...(isBroken ? [] : [end])] };
}
