import { fieldFault } from "@pergola/kit-provider";
import {
  AppError,
  settlesBeforePing,
  bypassMetadata,
  defined,
  newId,
  type ModelDetails,
  type EndpointAnswer,
  type EndpointRequest,
  type FinishReason,
  type JsonObject,
  type ModelEvent,
  type ServerEvent,
  type Services,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";
import type { ChatBody } from "./body-schema.ts";
import { Chunks, errorChunk, type ChunkChoices } from "./chunks.ts";
import { wireCompletion } from "./completion.ts";
import { choicesOf } from "./start-run.ts";

interface ChatRequest extends Pick<EndpointRequest, "rawBody" | "signal"> {
  readonly body: ChatBody;
}

/** Keys that are the service's, not the provider's, without regard to case and underscores. */
const serviceKeys = new Set(
  (
    "serviceconfig samconfig conversationid sessionid contextid topic systempromptid personalityid " +
    "custominstructions miniprompts minipromptids statefulmarker enablememory maxiterations " +
    "iterationnumber includetoolevents"
  ).split(" "),
);

const withoutServiceKeys = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([key]) => !serviceKeys.has(key.replaceAll("_", "").toLowerCase())),
  );

/** The caller's body as the provider gets it. */
function rawOf(body: JsonObject): JsonObject {
  const { stream_options: options, ...raw } = withoutServiceKeys(body);
  if (options === undefined || options === null) return raw;
  return { ...raw, stream_options: withoutServiceKeys(options as JsonObject) };
}

const unixSeconds = (): number => Math.floor(Date.now() / 1000);

/** All that is checked of the messages of a bypassed request. */
export function checkBypass({ messages }: ChatBody): void {
  if (messages.length === 0) throw fieldFault("messages", "must hold at least one message");
}

/** One model call without prompts, conversations and tools: the request goes to the provider as it came. */
class BypassCall {
  readonly #request: ChatRequest;
  readonly #services: Services;
  readonly #start = performance.now();
  readonly #warnings: string[] = [];
  readonly #calls = new Map<number, ToolCall>();
  /** A stream is not held: its client has it. */
  readonly #holdsAnswer: boolean;
  #answeredBy: ModelDetails | undefined;
  #text = "";
  #textLength = 0;
  #reasoning = "";
  #usage: Usage | undefined;
  /** The first half of a character whose second half has not come yet. */
  #highSurrogate = "";
  finishReason: FinishReason = "stop";

  constructor(request: ChatRequest, services: Services) {
    this.#request = request;
    this.#services = services;
    this.#holdsAnswer = !request.body.stream;
  }

  async *events(): AsyncIterable<ModelEvent> {
    const { body, rawBody, signal } = this.#request;
    const call = { messages: [], tools: [], sampling: {}, raw: rawOf(rawBody as JsonObject) };
    const observer = {
      onModel: (by: ModelDetails) => void (this.#answeredBy = by),
      warning: (text: string) => void this.#warnings.push(text),
    };
    for await (const event of this.#services.models.stream(body.model, call, signal, observer)) {
      this.#take(event);
      yield* this.#wholeCharacters(event);
    }
  }

  /** No character is split between two events. */
  *#wholeCharacters(event: ModelEvent): Iterable<ModelEvent> {
    const half = this.#highSurrogate;
    this.#highSurrogate = "";
    if (event.type !== "text") {
      if (half !== "") yield { type: "text", text: half };
      yield event;
      return;
    }
    const text = half + event.text;
    const [last = ""] = /[\ud800-\udbff]$/.exec(text) ?? [];
    this.#highSurrogate = last;
    if (text !== last) yield { type: "text", text: text.slice(0, text.length - last.length) };
  }

  #take(event: ModelEvent): void {
    if (event.type === "text") this.#textLength += event.text.length;
    if (this.#holdsAnswer) this.#gather(event);
    if (event.type === "usage") this.#usage = event.usage;
    if (event.type === "warning") this.#warnings.push(event.text);
    if (event.type === "end") this.finishReason = event.reason;
  }

  #gather(event: ModelEvent): void {
    if (event.type === "text") this.#text += event.text;
    if (event.type === "reasoning") this.#reasoning += event.text;
    if (event.type === "tool_call") this.#takeCall(event);
  }

  #takeCall(delta: Extract<ModelEvent, { readonly type: "tool_call" }>): void {
    const { index, id = "", name = "", arguments: args = "" } = delta;
    const call = this.#calls.get(index);
    this.#calls.set(index, {
      id: call?.id || id,
      name: call?.name || name,
      arguments: (call?.arguments ?? "") + args,
    });
  }

  identity() {
    const model = this.#answeredBy?.modelId ?? this.#request.body.model;
    return { id: newId.completion(), created: unixSeconds(), model };
  }

  /** The provider's usage, or characters / 4. */
  get usage(): Usage {
    return (
      this.#usage ?? {
        promptTokens: Math.ceil(JSON.stringify(this.#request.body.messages).length / 4),
        completionTokens: Math.ceil(this.#textLength / 4),
      }
    );
  }

  metadata({ failed = false } = {}): object {
    if (this.#answeredBy === undefined) return {};
    return bypassMetadata(this.#answeredBy, this.usage, {
      duration: (performance.now() - this.#start) / 1000,
      warnings: this.#warnings,
      estimated: this.#usage === undefined,
      failed,
    });
  }

  completion(legacyMetadata: boolean): object {
    return wireCompletion({
      ...this.identity(),
      text: this.#text,
      calls: [...this.#calls.values()],
      reasoning: this.#reasoning,
      finishReason: this.finishReason,
      usage: this.usage,
      metadata: this.metadata(),
      legacyMetadata,
    });
  }
}

export async function answerBypass(request: ChatRequest, services: Services): Promise<EndpointAnswer> {
  const call = new BypassCall(request, services);
  for await (const _ of call.events());
  return { body: call.completion(choicesOf(request.body, services).legacyMetadata) };
}

/**
 * Waits for the provider's first byte, or until a ping is due: a failure before that is a plain HTTP error.
 */
export async function streamBypass(request: ChatRequest, services: Services): Promise<EndpointAnswer> {
  const call = new BypassCall(request, services);
  const events = call.events()[Symbol.asyncIterator]();
  const first = events.next();
  await settlesBeforePing(first, services);
  const choices = choicesOf(request.body, services);
  return { events: bypassChunks(call, { first, events }, choices) };
}

interface Answer {
  readonly first: Promise<IteratorResult<ModelEvent>>;
  /** What follows the first event. */
  readonly events: AsyncIterator<ModelEvent>;
}

async function* bypassChunks(
  call: BypassCall,
  { first, events }: Answer,
  choices: ChunkChoices,
): AsyncIterable<ServerEvent> {
  try {
    let next = await first;
    const chunks = new Chunks(call.identity());
    yield { data: chunks.role({}) };
    for (; next.done !== true; next = await events.next()) {
      const data = chunkOf(chunks, next.value);
      if (data !== undefined) yield { data };
    }
    yield { data: chunks.final(call.finishReason) };
    if (choices.usage) yield { data: chunks.usage(call.usage, call.metadata(), choices.legacyMetadata) };
  } catch (error) {
    if (!AppError.is(error)) throw error;
    yield { data: errorChunk(error, call.metadata({ failed: true })) };
  } finally {
    await events.return?.();
  }
  yield { data: "[DONE]" };
}

function chunkOf(chunks: Chunks, event: ModelEvent): string | undefined {
  if (event.type === "text") return chunks.content(event.text);
  if (event.type === "reasoning") return chunks.reasoning(event.text);
  if (event.type !== "tool_call") return undefined;
  const { index, id, name, arguments: args } = event;
  return chunks.toolCall(index, defined({ id, name, arguments: args }));
}
