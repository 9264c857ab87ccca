import type { SearchIndex } from "@pergola/sdk";
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
  readonly #indexes = new Map<string, SearchIndex>();

  constructor(parts: Parts, records: Records, name: string) {
    this.#parts = parts;
    this.#records = records;
    this.#name = name;
  }

  /** By the embedder in force; undefined when there is none, or it fails. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded | undefined> {
    if (texts.length === 0) return undefined;
    const found = await this.#parts.models.embed(texts, signal);
    if (found === undefined) return undefined;
    const { model, vectors } = found;
    return {
      model,
      vectors,
      index: this.#indexes.get(model) ?? (await this.#begin(model, vectors[0]?.length ?? 0)),
    };
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

  /** The indexes of all models but one. */
  async others(than?: string): Promise<readonly SearchIndex[]> {
    const known = await this.#records.models.find({ id: { gte: "" } });
    return known
      .filter(({ id }) => id !== than)
      .map(({ id, dimensions }) => this.#indexes.get(id) ?? this.#open(id, dimensions));
  }
}
