import {
  extensionFields,
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

export const wireCall = ({ id, name, arguments: args }: ToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

export const errorBody = ({ message, type, code }: AppError) => ({ message, type, code });

/**
 * The chunks of one stream, as JSON texts: the same id and time in all of them. What is equal in every
 * content chunk is written once.
 */
export class Chunks {
  readonly #head: string;

  constructor({ id, created, model }: ChunkIdentity) {
    const fields = JSON.stringify({ id, object: "chat.completion.chunk", created, model });
    this.#head = `${fields.slice(0, -1)},"choices":[`;
  }

  #delta(delta: string, finish = "null", more = ""): string {
    return `${this.#head}{"index":0,"delta":${delta},"finish_reason":${finish}}]${more}}`;
  }

  #carrier(more: object): string {
    return this.#delta('{"content":""}', "null", `,${JSON.stringify(more).slice(1, -1)}`);
  }

  role(more: object): string {
    const top = JSON.stringify(more).slice(1, -1);
    return this.#delta('{"role":"assistant"}', "null", top === "" ? "" : `,${top}`);
  }

  content(text: string): string {
    return this.#delta(`{"content":${JSON.stringify(text)}}`);
  }

  reasoning(text: string): string {
    return this.#delta(`{"reasoning_content":${JSON.stringify(text)}}`);
  }

  toolCall(index: number, { id, name, arguments: args }: Partial<ToolCall>): string {
    const type = id === undefined ? undefined : "function";
    const call = { index, id, type, function: { name, arguments: args ?? "" } };
    return this.#delta(JSON.stringify({ tool_calls: [call] }));
  }

  final(reason: string): string {
    return this.#delta("{}", JSON.stringify(reason));
  }

  usage(usage: Usage, metadata: object, legacy: boolean): string {
    const more = {
      usage: wireUsage(usage),
      service_metadata: metadata,
      ...(legacy && { sam_metadata: metadata }),
    };
    return `${this.#head}],${JSON.stringify(more).slice(1, -1)}}`;
  }

  /**
   * The chunk of an event before the end; undefined where there is none, or where the client does not want
   * it.
   */
  of(event: RunEvent, choices: Pick<ChunkChoices, "toolEvents">): string | undefined {
    switch (event.type) {
      case "text":
        return this.content(event.text);
      case "reasoning":
        return this.reasoning(event.text);
      case "caller_call":
        return this.toolCall(event.index, event.call);
      default: {
        const carried = extensionFields(event, choices);
        return carried && this.#carrier(carried);
      }
    }
  }

  /** What closes a stream: the final chunk and the usage, or the error. */
  closing(outcome: RunOutcome, metadata: object, { usage, legacyMetadata }: ChunkChoices): readonly string[] {
    const { error, finishReason, run } = outcome;
    if (error !== null)
      return [
        this.content(`\n\nError: ${error.message}`),
        JSON.stringify({ error: errorBody(error), service_metadata: metadata }),
      ];
    const final = this.final(finishReason);
    if (!usage) return [final];
    return [final, this.usage(run.usage, metadata, legacyMetadata)];
  }
}
