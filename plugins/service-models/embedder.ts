import { AppError, defined, messageOf, textTokens, type ModelEntry } from "@pergola/sdk";
import type { Embedded, Parts } from "@pergola/sdk/host";
import type { FindModel } from "./model-finder.ts";
import { RecentVectors } from "./recent-vectors.ts";
import { atUnitLength } from "./unit-length.ts";

/** Where the span of a call belongs. */
interface Above {
  readonly trace: string | undefined;
  readonly isRemote: boolean;
}

interface Ended {
  readonly dimensions?: number | undefined;
  /** As the provider counted them. */
  readonly inputTokens?: number | undefined;
  readonly errorCode?: string;
}

/** A call of an embedding model that telemetry knows of. */
interface Begun {
  /** A W3C traceparent. */
  readonly sent: string | undefined;
  readonly noteEnd: (end: Ended) => void;
}

/** Makes vectors, by the model of `memory.embedding_model` or by one that is named. */
export class Embedder {
  readonly #parts: Parts;
  readonly #find: FindModel;
  readonly #vectors = new RecentVectors();
  /** What was logged last: why a model cannot be used. */
  #logged = "";

  constructor(parts: Parts, find: FindModel) {
    this.#parts = parts;
    this.#find = find;
  }

  /** From now on other vectors may be made of the same texts. */
  clear(): void {
    this.#vectors.clear();
  }

  async embed(texts: readonly string[], signal: AbortSignal, trace?: string): Promise<Embedded | undefined> {
    const model = this.#parts.preferences.get<string>("memory.embedding_model");
    if (model === "") return undefined;
    try {
      const { entry } = await this.#find(model, signal);
      return await this.#vectors.get({ model: entry.modelId, texts }, async (missing) =>
        atUnitLength(await this.#embedWith(model, missing, signal, { trace, isRemote: false })),
      );
    } catch (error) {
      // What nobody waits for any more says nothing of the model.
      if (!signal.aborted) this.#warn(model, error);
      return undefined;
    }
  }

  /** Once in a row for each reason: memory asks with every message. */
  #warn(model: string, error: unknown): void {
    const reason = `${model}: ${messageOf(error)}`;
    if (reason === this.#logged) return;
    this.#logged = reason;
    this.#parts.log.warn({ error, model }, "the embedding model cannot be used; searching by words only");
  }

  embedWith(model: string, texts: readonly string[], signal: AbortSignal, trace?: string): Promise<Embedded> {
    return this.#embedWith(model, texts, signal, { trace, isRemote: true });
  }

  async #embedWith(
    model: string,
    texts: readonly string[],
    signal: AbortSignal,
    above: Above,
  ): Promise<Embedded> {
    const { entry, instance, facts } = await this.#find(model, signal);
    const provider = await instance.open();
    if (provider.embed === undefined || facts.kind === "chat")
      throw new AppError({
        code: "invalid_value",
        message: `"${entry.modelId}" is no embedding model.`,
        param: "model",
      });
    const { sent, noteEnd } = this.#begin(entry, texts, above);
    try {
      const made = await provider.embed(entry.name, texts, signal, sent);
      const { vectors, promptTokens } = "vectors" in made ? made : { vectors: made, promptTokens: undefined };
      noteEnd({ dimensions: vectors[0]?.length, inputTokens: promptTokens });
      return { model: entry.modelId, vectors, promptTokens };
    } catch (error) {
      if (AppError.is(error)) error.message = this.#parts.redact(error.message);
      noteEnd({ errorCode: AppError.is(error) ? error.code : "error" });
      throw error;
    }
  }

  /** Gives the trace that is sent on, and what telemetry is told by when the call has ended. */
  #begin(model: ModelEntry, texts: readonly string[], { trace, isRemote }: Above): Begun {
    const { clock, telemetry } = this.#parts;
    if (telemetry === undefined) return { sent: undefined, noteEnd: () => undefined };
    const startedAt = clock.now();
    const { id, sent } = telemetry.beginEmbedding(trace);
    const noteEnd: Begun["noteEnd"] = (end) =>
      telemetry.embeddingEnded({
        id,
        model,
        inputTokens: texts.reduce((sum, text) => sum + textTokens(text), 0),
        startedAt,
        duration: clock.now() - startedAt,
        isRemote,
        ...defined({ ...end, trace }),
      });
    return { sent, noteEnd };
  }
}
