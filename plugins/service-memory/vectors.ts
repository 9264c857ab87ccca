import { setMaxListeners } from "node:events";
import type { SearchDocument, SearchIndex } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Records } from "./records.ts";

/** The model's vectors of some texts, and the index for what it has made. */
export interface Embedded {
  readonly model: string;
  readonly vectors: readonly Float32Array[];
  readonly index: SearchIndex;
}

/**
 * Vectors, in an index for each model that made some: those of different models have nothing to do with each
 * other.
 */
export class Vectors {
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #name: string;
  readonly #signal: AbortSignal;
  readonly #indexes = new Map<string, SearchIndex>();

  constructor(parts: Parts, records: Records, name: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#records = records;
    this.#name = name;
    this.#signal = signal;
    // As many wait for it as ask at once, while the embedder starts.
    setMaxListeners(Infinity, signal);
  }

  /** By the embedder in force; undefined when there is none, or it fails. */
  async embed(texts: readonly string[], trace?: string): Promise<Embedded | undefined> {
    if (texts.length === 0) return undefined;
    const found = await this.#parts.models.embed(texts, this.#signal, trace);
    if (found === undefined) return undefined;
    const { model, vectors } = found;
    const index = this.#indexes.get(model) ?? (await this.#begin(model, vectors[0]?.length ?? 0));
    return { model, vectors, index };
  }

  /** Puts vectors into the index of their model, one for each document, and removes those of other models. */
  async put(
    { model, vectors, index }: Embedded,
    documents: readonly Pick<SearchDocument, "id" | "scope">[],
  ): Promise<void> {
    await this.remove(
      documents.map(({ id }) => id),
      model,
    );
    await index.index(
      documents.map(({ id, scope }, at) => ({
        id,
        scope,
        fields: {},
        vector: vectors[at]!,
      })),
    );
  }

  /** Removes the vectors of all models, or of all but one. */
  async remove(ids: readonly string[], exceptModel?: string): Promise<void> {
    for (const index of await this.#others(exceptModel)) await index.remove(ids);
  }

  async removeScope(scope: string): Promise<void> {
    for (const index of await this.#others()) await index.removeScope(scope);
  }

  /** Before anything is in its index a model is on record, so that what is in there can be removed again. */
  async #begin(model: string, dimensions: number): Promise<SearchIndex> {
    await this.#records.models.put({ id: model, dimensions });
    return this.#open(model, dimensions);
  }

  #open(model: string, dimensions: number): SearchIndex {
    const index = this.#parts.stores.storage.search(`${this.#name}/${model}`, { fields: {}, dimensions });
    this.#indexes.set(model, index);
    return index;
  }

  async #others(exceptModel?: string): Promise<readonly SearchIndex[]> {
    const known = await this.#records.models.find({ id: { gte: "" } });
    return known
      .filter(({ id }) => id !== exceptModel)
      .map(({ id, dimensions }) => this.#indexes.get(id) ?? this.#open(id, dimensions));
  }
}
