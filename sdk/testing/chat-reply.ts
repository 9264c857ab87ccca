import type { ModelEvent, Usage } from "@pergola/sdk";
import { jsonReply, type MockPiece, type MockReply } from "./mock-reply.ts";
import { eventsOf, stepsOf, type ScriptStep, type ScriptTurn } from "./script.ts";

/** A server-sent event of one JSON value. */
export const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

export const doneFrame = "data: [DONE]\n\n";

/** A chunk of a chat-completions stream. */
export const chatChunk = (delta: object, finishReason: string | null = null): object => ({
  id: "chatcmpl-test",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "test",
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});

const wireUsage = ({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage): object => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  ...(cachedTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cachedTokens } }),
  ...(reasoningTokens === undefined
    ? {}
    : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
});

function chunkOf(event: ModelEvent): object | undefined {
  if (event.type === "text") return chatChunk({ content: event.text });
  if (event.type === "reasoning") return chatChunk({ reasoning_content: event.text });
  if (event.type !== "tool_call") return undefined;
  const { index, id, name, arguments: args } = event;
  return chatChunk({
    tool_calls: [
      { index, ...(id === undefined ? {} : { id, type: "function" }), function: { name, arguments: args } },
    ],
  });
}

/** The end of a turn as the format has it: the finishing chunk, the usage chunk, `[DONE]`. */
const closing = (events: readonly ModelEvent[]): readonly string[] => {
  const end = events.find((event) => event.type === "end");
  const usage = events.findLast((event) => event.type === "usage");
  const reason = end?.reason ?? (events.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop");
  const counted =
    usage === undefined ? [] : [frame({ ...chatChunk({}), choices: [], usage: wireUsage(usage.usage) })];
  return [frame(chatChunk({}, reason)), ...counted, doneFrame];
};

const errorBody = ({
  status,
  message = "scripted failure",
}: {
  readonly status: number;
  readonly message?: string;
}): object => ({
  error: { message, type: "scripted", code: status },
});

function pieceOf(step: ScriptStep, calls: number): readonly MockPiece[] {
  if ("delayMs" in step || "until" in step || "hang" in step) return [step];
  if ("error" in step) return [frame(errorBody(step.error))];
  return eventsOf(step, 1, calls).flatMap((event) => {
    const chunk = chunkOf(event);
    return chunk === undefined ? [] : [frame(chunk)];
  });
}

/**
 * A scripted turn as a chat-completions server sends it. A turn that begins with an error is an HTTP error, a
 * later one stands in the stream; a turn that begins with waiting sends no headers before. `end` and `usage`
 * go to the end, whatever their place.
 */
export function chatReply(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) {
    const { status, retryAfter } = first.error;
    return jsonReply(errorBody(first.error), {
      status,
      headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
    });
  }
  const body: MockPiece[] = [];
  const events: ModelEvent[] = [];
  for (const step of steps) {
    const made = new Set(events.flatMap((event) => (event.type === "tool_call" ? [event.index] : []))).size;
    body.push(...pieceOf(step, made));
    events.push(...eventsOf(step, 1, made));
  }
  const broken = steps.some((step) => "error" in step || "hang" in step);
  const waits = first !== undefined && ("hang" in first || "delayMs" in first || "until" in first);
  const opening = waits ? [] : [frame(chatChunk({ role: "assistant", content: "" }))];
  return { body: [...opening, ...body, ...(broken ? [] : closing(events))] };
}
