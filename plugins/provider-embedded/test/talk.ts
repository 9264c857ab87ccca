import {
  AppError,
  type ChatMessage,
  type Json,
  type ModelCall,
  type OfferedTool,
  type Sampling,
} from "@pergola/sdk";
import { collectEvents, textOfEvents } from "@pergola/sdk/testing";
import type { Embedder } from "../embedder/embedder.ts";
import { VectorCache } from "../embedder/vector-cache.ts";
import { reply } from "../dialogue/guide.ts";
import { eventsOf } from "../dialogue/reply.ts";
import { textOf } from "../dialogue/turn.ts";

type Arguments = Readonly<Record<string, Json>>;

export interface Answer {
  readonly text: string;
  /** The calls that were made, in order. */
  readonly calls: readonly Arguments[];
}

/** Runs a call and gives the JSON text of its result. */
export type RunTool = (args: Arguments, tool: string) => Readonly<Record<string, Json>>;

export interface TalkOptions {
  readonly tools?: readonly OfferedTool[];
  readonly run?: RunTool;
  /** Put at the end of the newest user message, as the host does. */
  readonly context?: string;
  readonly embedder?: Embedder;
  readonly sampling?: Sampling;
}

/** A conversation with the guide through the events of its stream, with the tools played by `run`. */
export class Talk {
  readonly messages: ChatMessage[] = [];
  readonly #options: TalkOptions;
  readonly #vectors: VectorCache;

  constructor(options: TalkOptions = {}) {
    this.#options = options;
    this.#vectors = new VectorCache(options.embedder ?? absentEmbedder);
  }

  /**
   * Says something and plays the loop until the guide answers with text; fails when it does not within ten
   * calls.
   */
  async say(content: string): Promise<Answer> {
    this.messages.push({ role: "user", content });
    const calls: Arguments[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const { text, call } = await this.#ask();
      this.messages.push({
        role: "assistant",
        content: text,
        ...(call === undefined ? {} : { toolCalls: [call] }),
      });
      if (call === undefined) return { text, calls };
      const args = JSON.parse(call.arguments) as Arguments;
      calls.push(args);
      const result = this.#options.run?.(args, call.name) ?? {
        success: true,
        data: "done",
        message: "Done.",
      };
      this.messages.push({ role: "tool", toolCallId: call.id, content: JSON.stringify(result) });
    }
    throw new Error("the guide goes on and on");
  }

  async #ask() {
    const call: ModelCall = {
      model: "guide",
      messages: this.#withContext(),
      tools: this.#options.tools ?? [],
      sampling: this.#options.sampling ?? {},
    };
    const answer = await reply(
      call,
      this.#vectors,
      { now: () => Date.UTC(2026, 10, 20, 10, 14) },
      AbortSignal.timeout(10_000),
    );
    const { events } = await collectEvents(asStream(eventsOf(answer, call)));
    const found = events.find((event) => event.type === "tool_call");
    return {
      text: textOfEvents(events),
      call: found && { id: found.id ?? "", name: found.name ?? "", arguments: found.arguments ?? "" },
    };
  }

  #withContext(): readonly ChatMessage[] {
    const { context } = this.#options;
    const newest = this.messages.findLastIndex(({ role }) => role === "user");
    return this.messages.map((message, index) =>
      context === undefined || index !== newest
        ? message
        : { ...message, content: `${textOf(message)}\n\n${context}` },
    );
  }
}

async function* asStream<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}

/** As when the weights are missing: words must do. */
const absentEmbedder: Embedder = {
  embed: () => Promise.reject(new AppError({ code: "provider_error", message: "no weights" })),
  close: async () => undefined,
};

/** An embedder that fails the test when it is asked. */
export const forbiddenEmbedder: Embedder = {
  embed: () => Promise.reject(new Error("the sentence embedding was asked")),
  close: async () => undefined,
};
