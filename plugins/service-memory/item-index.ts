import {
  AppError,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
  type Stored,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { digestOf } from "./make-item.ts";
import { neighboursOf } from "./neighbours.ts";
import { kinds, partitionOf, type IndexState, type Records, type StoredItem } from "./records.ts";
import { termsOf, textOf } from "./terms.ts";
import { Vectors } from "./vectors.ts";

/**
 * What an item's own words count, those of what was stored just before and after it, and those of a question
 * just before it.
 */
const fields = { text: 1, near: 0.25, asked: 0.5 };

const isQuestion = (text: string): boolean => text.trimEnd().endsWith("?");

const isConflict = (error: unknown): boolean => AppError.is(error) && error.code === "conflict";

/**
 * Words and vectors of items. They follow the records: what is to follow is on record as due, so a crash in
 * between loses nothing.
 */
export class ItemIndex {
  readonly vectors: Vectors;
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #words: SearchIndex;
  readonly #signal: AbortSignal;

  constructor(parts: Parts, records: Records, signal: AbortSignal) {
    this.#parts = parts;
    this.#records = records;
    this.#signal = signal;
    this.vectors = new Vectors(parts, records, "memories");
    this.#words = parts.stores.storage.search("memories", { fields, dimensions: 0 });
  }

  /**
   * The writes that make the index entries of these items due; they go into the commit that changes the
   * items.
   */
  async due(changed: readonly { readonly id: string; readonly scope: string }[]): Promise<readonly Write[]> {
    const known = await this.#statesOf(changed.map(({ id }) => id));
    return changed.map(({ id, scope }) => {
      const { version: _, ...state } = known.get(id) ?? { version: 0, id, scope, model: "", text: "" };
      return { collection: "memory_states", put: { ...state, due: true } };
    });
  }

  /**
   * Makes the indexes follow these items, whether they are there or gone. The model that was asked for
   * vectors, if one answered.
   */
  async follow(ids: readonly string[]): Promise<string | undefined> {
    const [states, found] = await Promise.all([
      this.#statesOf(ids),
      this.#records.items.find({ id: { in: ids } }),
    ]);
    const items = new Map(found.map((item) => [item.id, item]));
    await this.#remove(ids.filter((id) => !items.has(id)));
    await this.#words.index(await Promise.all(found.map((item) => this.#document(item))));
    const { settled, model } = await this.embed(found.map((item) => [item, states.get(item.id)] as const));
    await Promise.all(
      ids.map(async (id) => {
        const state = states.get(id);
        const ifVersion = state?.version ?? 0;
        const put = settled.get(id);
        if (put !== undefined)
          await this.#settle({
            collection: "memory_states",
            put,
            ifVersion,
          });
        else if (state !== undefined)
          await this.#settle({
            collection: "memory_states",
            delete: id,
            ifVersion,
          });
      }),
    );
    return model;
  }

  /**
   * Gives vectors to the items that have none, or one of another text or model, and takes the old ones away.
   * What is to be kept on record of each, and the model that made vectors; without an embedder an item stays
   * open until there is one.
   */
  async embed(
    items: readonly (readonly [StoredItem, IndexState | undefined])[],
    model?: string,
  ): Promise<{ readonly settled: ReadonlyMap<string, IndexState>; readonly model: string | undefined }> {
    const digests = new Map(items.map(([item]) => [item.id, digestOf(textOf(item))]));
    const isOpen = ([{ id }, state]: readonly [StoredItem, IndexState | undefined]): boolean =>
      state === undefined ||
      state.model === "" ||
      state.text !== digests.get(id) ||
      (model !== undefined && state.model !== model);
    const open = items.filter(isOpen).map(([item]) => item);
    const embedded = await this.vectors.embed(open.map(textOf), this.#signal);
    const made = new Set(open.map(({ id }) => id));
    if (open.length > 0)
      for (const other of await this.vectors.others(embedded?.model)) await other.remove([...made]);
    await embedded?.index.index(
      open.map(({ id, scope, kind }, at) => ({
        id,
        scope: partitionOf(kind, scope),
        fields: {},
        vector: embedded.vectors[at]!,
      })),
    );
    const stateOf = ({ id, scope }: StoredItem, state: IndexState | undefined): IndexState => {
      const isOld = state !== undefined && !made.has(id);
      const { model, text } = isOld ? state : { model: embedded?.model ?? "", text: digests.get(id) ?? "" };
      return {
        id,
        scope,
        due: false,
        model,
        text,
      };
    };
    return {
      settled: new Map(items.map(([item, state]) => [item.id, stateOf(item, state)])),
      model: embedded?.model,
    };
  }

  async words(
    partitions: readonly string[],
    terms: readonly string[],
    limit: number,
  ): Promise<readonly SearchHit[]> {
    if (terms.length === 0) return [];
    return this.#words.query({
      scopes: partitions,
      text: terms.join(" "),
      limit,
    });
  }

  /** Takes all of a scope out. What has come to be there since is put in again. */
  async forget(scope: string): Promise<void> {
    const indexes = [this.#words, ...(await this.vectors.others())];
    for (const index of indexes) for (const kind of kinds) await index.removeScope(partitionOf(kind, scope));
    const newer = await this.#records.states.find({ scope }, { limit: 100_000 });
    for (const { id } of newer) await this.#records.states.put({ id, scope, due: true, model: "", text: "" });
    await this.follow(newer.map(({ id }) => id));
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const index of [this.#words, ...(await this.vectors.others())]) await index.remove(ids);
  }

  async #document(item: StoredItem): Promise<SearchDocument> {
    const near = await neighboursOf(this.#records, item);
    const before = near.find(({ place }) => place < item.place);
    const asked = before !== undefined && isQuestion(before.content) ? [before] : [];
    const words = (items: readonly StoredItem[]): string =>
      items.flatMap(({ content }) => termsOf(content)).join(" ");
    const texts = {
      text: termsOf(textOf(item)).join(" "),
      near: words(near),
      asked: words(asked),
    };
    return {
      id: item.id,
      scope: partitionOf(item.kind, item.scope),
      fields: texts,
    };
  }

  async #statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<IndexState>>> {
    const found = await this.#records.states.find({ id: { in: ids } }, { limit: ids.length + 1 });
    return new Map(found.map((state) => [state.id, state]));
  }

  /** Another host has changed the item meanwhile: then it is that host's to settle. */
  async #settle(write: Write): Promise<void> {
    await this.#parts.stores.commit([write]).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
    });
  }
}
