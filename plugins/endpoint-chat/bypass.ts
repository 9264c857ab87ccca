import {
  AppError,
  settlesBeforePing,
  bypassMetadata,
  defined,
  newId,
  wireUsage,
  type ModelDetails,
  type EndpointAnswer,
  type EndpointRequest,
  type FinishReason,
  type JsonObject,
  type ModelEvent,
  type ServerEvent,
  type Services,
  type Usage,
} from "@pergola/sdk";
import type { ChatBody } from "./body-schema.ts";
import { Chunks, errorBody, wireCall, type ChunkChoices } from "./chunks.ts";
import { choicesOf } from "./start-run.ts";

/** Keys that are the service's, not the provider's, without regard to case and underscores. */
const own = new Set(
  (
    "serviceconfig samconfig conversationid sessionid contextid topic systempromptid personalityid " +
    "custominstructions miniprompts minipromptids statefulmarker enablememory maxiterations " +
    "iterationnumber includetoolevents"
  ).split(" "),
);

const foreign = (given: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(given).filter(([key]) => !own.has(key.replaceAll("_", "").toLowerCase())),
  );

/** The caller's body as the provider gets it. */
function rawOf(body: JsonObject): JsonObject {
  const { stream_options: options, ...raw } = foreign(body);
  if (options === undefined || options === null) return raw;
  return { ...raw, stream_options: foreign(options as JsonObject) };
}

/** One model call past prompts, conversations and tools: the request goes to the provider as it came. */
class Passage {
  readonly warnings: string[] = [];
  readonly calls = new Map<number, { id: string; name: string; arguments: string }>();
  readonly #begun = performance.now();
  by: ModelDetails | undefined;
  text = "";
  reasoning = "";
  usage: Usage | undefined;
  finishReason: FinishReason = "stop";
  #half = "";

  async *events(body: ChatBody, request: EndpointRequest, { models }: Services): AsyncIterable<ModelEvent> {
    const raw = rawOf(request.rawBody as JsonObject);
    const call = { messages: [], tools: [], sampling: {}, raw };
    const observer = {
      onModel: (by: ModelDetails) => void (this.by = by),
      warning: (text: string) => void this.warnings.push(text),
    };
    for await (const event of models.stream(body.model, call, request.signal, observer)) {
      this.#take(event);
      yield* this.#whole(event);
    }
  }

  /** No character is split between two events. */
  *#whole(event: ModelEvent): Iterable<ModelEvent> {
    const text = this.#half + (event.type === "text" ? event.text : "");
    this.#half = event.type === "text" && /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : "";
    const ready = text.slice(0, text.length - this.#half.length);
    if (ready !== "") yield { type: "text", text: ready };
    if (event.type !== "text") yield event;
  }

  #take(event: ModelEvent): void {
    if (event.type === "text") this.text += event.text;
    if (event.type === "reasoning") this.reasoning += event.text;
    if (event.type === "usage") this.usage = event.usage;
    if (event.type === "warning") this.warnings.push(event.text);
    if (event.type === "end") this.finishReason = event.reason;
    if (event.type === "tool_call") this.#takeCall(event);
  }

  #takeCall(delta: Extract<ModelEvent, { readonly type: "tool_call" }>): void {
    const { index, id = "", name = "", arguments: args = "" } = delta;
    const call = this.calls.get(index) ?? { id: "", name: "", arguments: "" };
    this.calls.set(index, {
      id: call.id || id,
      name: call.name || name,
      arguments: call.arguments + args,
    });
  }

  /** The provider's usage, or characters / 4. */
  usageFor(body: ChatBody): Usage {
    return (
      this.usage ?? {
        promptTokens: Math.ceil(JSON.stringify(body.messages).length / 4),
        completionTokens: Math.ceil(this.text.length / 4),
      }
    );
  }

  metadata(body: ChatBody, failed: boolean): object {
    if (this.by === undefined) return {};
    const facts = {
      duration: (performance.now() - this.#begun) / 1000,
      warnings: this.warnings,
      estimated: this.usage === undefined,
      failed,
    };
    return bypassMetadata(this.by, this.usageFor(body), facts);
  }
}

const now = (): number => Math.floor(Date.now() / 1000);

export async function answerPast(
  body: ChatBody,
  request: EndpointRequest,
  services: Services,
): Promise<EndpointAnswer> {
  const passage = new Passage();
  for await (const _ of passage.events(body, request, services));
  const calls = [...passage.calls.values()].map(wireCall);
  const hasCalls = calls.length > 0;
  const message = defined({
    role: "assistant",
    content: hasCalls && passage.text === "" ? null : passage.text,
    tool_calls: hasCalls ? calls : undefined,
    reasoning_content: passage.reasoning || undefined,
  });
  const metadata = passage.metadata(body, false);
  return {
    body: {
      id: newId.completion(),
      object: "chat.completion",
      created: now(),
      model: passage.by?.modelId ?? body.model,
      choices: [{ index: 0, message, finish_reason: passage.finishReason }],
      usage: wireUsage(passage.usageFor(body)),
      service_metadata: metadata,
      ...(choicesOf(body, services).legacyMetadata && { sam_metadata: metadata }),
    },
  };
}

/**
 * Waits for the provider's first byte, or until a ping is due: a failure before that is a plain HTTP error.
 */
export async function streamPast(
  body: ChatBody,
  request: EndpointRequest,
  services: Services,
): Promise<EndpointAnswer> {
  const passage = new Passage();
  const events = passage.events(body, request, services)[Symbol.asyncIterator]();
  const first = events.next();
  await settlesBeforePing(first, services);
  const choices = choicesOf(body, services);
  return { events: chunksPast(passage, { first, events }, body, choices) };
}

interface Answer {
  readonly first: Promise<IteratorResult<ModelEvent>>;
  /** What follows the first event. */
  readonly events: AsyncIterator<ModelEvent>;
}

async function* chunksPast(
  passage: Passage,
  { first, events }: Answer,
  body: ChatBody,
  choices: ChunkChoices,
): AsyncIterable<ServerEvent> {
  try {
    let next = await first;
    const chunks = new Chunks({
      id: newId.completion(),
      created: now(),
      model: passage.by?.modelId ?? body.model,
    });
    yield { data: chunks.role({}) };
    for (; next.done !== true; next = await events.next()) {
      const data = chunkOf(chunks, next.value);
      if (data !== undefined) yield { data };
    }
    yield { data: chunks.final(passage.finishReason) };
    if (choices.usage)
      yield {
        data: chunks.usage(passage.usageFor(body), passage.metadata(body, false), choices.legacyMetadata),
      };
  } catch (error) {
    if (!AppError.is(error)) throw error;
    yield {
      data: JSON.stringify({ error: errorBody(error), service_metadata: passage.metadata(body, true) }),
    };
  } finally {
    await events.return?.();
  }
  yield { data: "[DONE]" };
}

function chunkOf(chunks: Chunks, event: ModelEvent): string | undefined {
  if (event.type === "text") return chunks.content(event.text);
  if (event.type === "reasoning") return chunks.reasoning(event.text);
  if (event.type !== "tool_call") return undefined;
  const { index, id, name, arguments: args = "" } = event;
  return chunks.toolCall(index, defined({ id, name, arguments: args }));
}
