import { freeFormInput } from "@pergola/kit-provider";
import {
  extensionFields,
  metadataOf,
  wireUsage,
  type AppError,
  type RunEvent,
  type RunOutcome,
  type ToolCall,
  type Usage,
} from "@pergola/sdk";

export interface ChunkIdentity {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
}

export interface ChunkChoices {
  readonly toolEvents: boolean;
  readonly usage: boolean;
  readonly legacyMetadata: boolean;
}

/** What of a call is in the form that the caller has for its tool. */
function callFields({ name, arguments: args = "", form }: Partial<ToolCall>) {
  if (form?.freeForm === true) return { type: "custom", custom: { name, input: freeFormInput(args) } };
  return { type: "function", function: { name, arguments: args } };
}

export const wireCall = (call: ToolCall) => ({ id: call.id, ...callFields(call) });

/** The metadata of an answer, on request under its older name too. */
export const metadataFields = (metadata: object, legacy: boolean) => ({
  service_metadata: metadata,
  ...(legacy && { sam_metadata: metadata }),
});

/** The chunk with which a failure ends a stream. */
export const errorChunk = ({ message, type, code }: AppError, metadata: object): string =>
  JSON.stringify({ error: { message, type, code }, service_metadata: metadata });

/** Further fields of an object whose JSON text has begun. */
function moreFields(fields: object): string {
  const text = JSON.stringify(fields).slice(1, -1);
  return text && `,${text}`;
}

/**
 * The chunks of one stream, as JSON texts: the same id and time in all of them. What is equal in every
 * content chunk is written once.
 */
export class Chunks {
  readonly #head: string;
  /** The forms of the calls that have begun. */
  readonly #begun = new Map<number, ToolCall["form"]>();

  constructor({ id, created, model }: ChunkIdentity) {
    const fields = JSON.stringify({ id, object: "chat.completion.chunk", created, model });
    this.#head = `${fields.slice(0, -1)},"choices":[`;
  }

  #delta(delta: string, finish = "null", more = ""): string {
    return `${this.#head}{"index":0,"delta":${delta},"finish_reason":${finish}}]${more}}`;
  }

  role(more: object): string {
    return this.#delta('{"role":"assistant"}', "null", moreFields(more));
  }

  content(text: string, more: object = {}): string {
    return this.#delta(`{"content":${JSON.stringify(text)}}`, "null", moreFields(more));
  }

  reasoning(text: string): string {
    return this.#delta(`{"reasoning_content":${JSON.stringify(text)}}`);
  }

  toolCall(index: number, { id, ...rest }: Partial<ToolCall>): string {
    const { type, ...fields } = callFields(rest);
    const call = { index, id, type: id === undefined ? undefined : type, ...fields };
    return this.#delta(JSON.stringify({ tool_calls: [call] }));
  }

  /** A piece of a call's arguments. */
  #callDelta(index: number, text: string): string {
    const isFreeForm = this.#begun.get(index)?.freeForm === true;
    const fields = isFreeForm ? { custom: { input: text } } : { function: { arguments: text } };
    return this.#delta(JSON.stringify({ tool_calls: [{ index, ...fields }] }));
  }

  /** One that has begun has come in pieces. */
  #wholeCall(index: number, call: ToolCall): readonly string[] {
    if (this.#begun.has(index)) return [];
    this.#begun.set(index, call.form);
    return [this.toolCall(index, call)];
  }

  final(reason: string): string {
    return this.#delta("{}", JSON.stringify(reason));
  }

  usage(usage: Usage, metadata: object, legacy: boolean): string {
    const fields = { usage: wireUsage(usage), ...metadataFields(metadata, legacy) };
    return `${this.#head}]${moreFields(fields)}}`;
  }

  /** The chunks of an event: none where the format has none, or where the client does not want it. */
  of(event: RunEvent, choices: ChunkChoices): readonly string[] {
    switch (event.type) {
      case "text":
        return [this.content(event.text)];
      case "reasoning":
        return [this.reasoning(event.text)];
      case "caller_call_begun":
        this.#begun.set(event.index, event.call.form);
        return [this.toolCall(event.index, event.call)];
      case "caller_call_delta":
        return [this.#callDelta(event.index, event.text)];
      case "caller_call":
        return this.#wholeCall(event.index, event.call);
      case "end":
        return this.#closing(event.outcome, choices);
      default: {
        const carried = extensionFields(event, choices);
        if (carried === undefined) return [];
        return [this.content("", carried)];
      }
    }
  }

  /** What closes a stream: the final chunk and the usage, or the error. */
  #closing(outcome: RunOutcome, { usage, legacyMetadata }: ChunkChoices): readonly string[] {
    const { error, finishReason, run } = outcome;
    const metadata = metadataOf(outcome);
    if (error !== null) return [this.content(`\n\nError: ${error.message}`), errorChunk(error, metadata)];
    const final = this.final(finishReason);
    if (!usage) return [final];
    return [final, this.usage(run.usage, metadata, legacyMetadata)];
  }
}
