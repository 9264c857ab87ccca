import type { ModelEvent, Usage } from "@pergola/sdk";
import {
  eventsOf,
  jsonReply,
  stepsOf,
  type MockPiece,
  type MockReply,
  type ScriptStep,
  type ScriptTurn,
} from "@pergola/sdk/testing";

/** A server-sent event of the format: its name is its type. */
export const frame = (value: { readonly type: string; readonly [key: string]: unknown }): string =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

export const start = (usage: object = { input_tokens: 1, output_tokens: 1 }): string =>
  frame({
    type: "message_start",
    message: { id: "msg_1", type: "message", role: "assistant", content: [], stop_reason: null, usage },
  });
export const opens = (index: number, content_block: object): string =>
  frame({ type: "content_block_start", index, content_block });
export const delta = (index: number, fields: object): string =>
  frame({ type: "content_block_delta", index, delta: fields });
export const closes = (index: number): string => frame({ type: "content_block_stop", index });
export const finish = (stop_reason: string, usage: object = { output_tokens: 1 }): string =>
  frame({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
export const stop = frame({ type: "message_stop" });
export const ping = frame({ type: "ping" });

const reasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

const types: Readonly<Record<number, string>> = {
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};
const errorBody = ({
  status,
  message = "scripted failure",
}: {
  readonly status: number;
  readonly message?: string;
}) => ({
  type: "error",
  error: { type: types[status] ?? "invalid_request_error", message },
});

const wireUsage = ({ promptTokens, completionTokens, cachedTokens, reasoningTokens }: Usage): object => ({
  input_tokens: promptTokens - (cachedTokens ?? 0),
  output_tokens: completionTokens,
  ...(cachedTokens === undefined ? {} : { cache_read_input_tokens: cachedTokens }),
  ...(reasoningTokens === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } }),
});

/** Says events as blocks, each opened when it is first spoken of. */
class Blocks {
  #next = 0;
  #open: { readonly key: string; readonly index: number } | undefined;
  readonly #calls = new Map<number, number>();

  of(event: ModelEvent): string {
    if (event.type === "text")
      return this.#in("text", { type: "text", text: "" }, { type: "text_delta", text: event.text });
    if (event.type === "reasoning") {
      return this.#in(
        "thinking",
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: event.text },
      );
    }
    return event.type === "tool_call" ? this.#call(event) : "";
  }

  end(): string {
    const calls = [...this.#calls.values()].map(closes).join("");
    return this.#shut() + calls;
  }

  #in(key: string, block: object, piece: object): string {
    const shut = this.#open?.key === key ? "" : this.#shut();
    const index = this.#open?.index ?? this.#next++;
    const opened = this.#open === undefined ? opens(index, block) : "";
    this.#open = { key, index };
    return shut + opened + delta(index, piece);
  }

  #shut(): string {
    const { key, index } = this.#open ?? { key: "", index: 0 };
    this.#open = undefined;
    if (key === "") return "";
    return (
      (key === "thinking" ? delta(index, { type: "signature_delta", signature: "c2lnbmVk" }) : "") +
      closes(index)
    );
  }

  /** Several calls may be open at once: their pieces take turns. */
  #call({
    index: number,
    id,
    name,
    arguments: json = "",
  }: Extract<ModelEvent, { type: "tool_call" }>): string {
    const known = this.#calls.get(number);
    const index = known ?? this.#next++;
    this.#calls.set(number, index);
    const opened =
      known === undefined ? this.#shut() + opens(index, { type: "tool_use", id, name, input: {} }) : "";
    return opened + (json === "" ? "" : delta(index, { type: "input_json_delta", partial_json: json }));
  }
}

const waits = (step: ScriptStep): step is Extract<MockPiece & ScriptStep, object> =>
  "delayMs" in step || "until" in step || "hang" in step;

function piecesOf(step: ScriptStep, blocks: Blocks, calls: number): readonly MockPiece[] {
  if (waits(step)) return [step];
  if ("error" in step) return [frame(errorBody(step.error))];
  const text = eventsOf(step, 1, calls).map((event) => blocks.of(event));
  return [text.join("")].filter((piece) => piece !== "");
}

function errorReply({ error }: Extract<ScriptStep, { error: unknown }>): MockReply {
  const { status, retryAfter } = error;
  const headers: Readonly<Record<string, string>> = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return jsonReply(errorBody(error), { status, headers });
}

const callCount = (events: readonly ModelEvent[]): number =>
  new Set(events.map((event) => event.type === "tool_call" && event.index).filter((index) => index !== false))
    .size;

function reasonOf(events: readonly ModelEvent[]): string {
  const end = events.find((event) => event.type === "end")?.reason;
  return end ?? (callCount(events) > 0 ? "tool_calls" : "stop");
}

/** A scripted turn as a server of the Messages format sends it; like `chatReply` of the test kit. */
export function messagesReply(turn: ScriptTurn): MockReply {
  const steps = stepsOf(turn);
  const [first] = steps;
  if (first !== undefined && "error" in first) return errorReply(first);
  const blocks = new Blocks();
  const body: MockPiece[] = [];
  const events: ModelEvent[] = [];
  for (const step of steps) {
    const count = callCount(events);
    body.push(...piecesOf(step, blocks, count));
    events.push(...eventsOf(step, 1, count));
  }
  const isLate = first !== undefined && waits(first);
  const isBroken = steps.some((step) => "error" in step || "hang" in step);
  const usage = events.findLast((event) => event.type === "usage");
  const counts = usage === undefined ? {} : wireUsage(usage.usage);
  const opening = start(usage === undefined ? {} : { ...counts, output_tokens: 1 });
  const reason = reasons[reasonOf(events)] ?? "end_turn";
  const closing = [blocks.end(), finish(reason, counts), stop];
  const pieces = [...(isLate ? [] : [opening]), ...body, ...(isBroken ? [] : closing)];
  return { body: pieces.filter((piece) => piece !== "") };
}
