import { AppError, type SearchDocument, type SearchIndex, type Stored, type Write } from "@pergola/sdk";
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

/** What the indexes hold, by item. */
type IndexStates = ReadonlyMap<string, Stored<IndexState>>;

const isConflict = (error: unknown): boolean => AppError.is(error) && error.code === "conflict";

/**
 * Words and vectors of items. They follow the records: what is to follow is on record as due, so a crash in
 * between loses nothing.
 */
export class ItemIndex {
  readonly vectors: Vectors;
  readonly words: SearchIndex;
  readonly #parts: Parts;
  readonly #records: Records;

  constructor(parts: Parts, records: Records, signal: AbortSignal) {
    this.#parts = parts;
    this.#records = records;
    this.vectors = new Vectors(parts, records, "memories", signal);
    this.words = parts.stores.storage.search("memories", { fields, dimensions: 0 });
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
    await this.words.index(await Promise.all(found.map((item) => this.#document(item))));
    const { settled, model } = await this.embed(found, states);
    await Promise.all(ids.map((id) => this.#settle(id, states.get(id), settled.get(id))));
    return model;
  }

  /**
   * Gives vectors to the items that have none, or one of another text or model, and takes the old ones away.
   * What is to be kept on record of each, and the model that made vectors; without an embedder an item stays
   * open until there is one.
   */
  async embed(
    items: readonly StoredItem[],
    states: IndexStates,
    model?: string,
  ): Promise<{ readonly settled: ReadonlyMap<string, IndexState>; readonly model: string | undefined }> {
    const settled = new Map<string, IndexState>();
    const open: StoredItem[] = [];
    for (const item of items) {
      const state = states.get(item.id);
      if (state === undefined || isOutdated(state, item, model)) open.push(item);
      else settled.set(item.id, settledState(item, state));
    }
    const embedded = await this.vectors.embed(open.map(textOf));
    const documents = open.map(({ id, scope, kind }) => ({ id, scope: partitionOf(kind, scope) }));
    if (embedded !== undefined) await this.vectors.put(embedded, documents);
    else if (open.length > 0) await this.vectors.remove(open.map(({ id }) => id));
    for (const item of open)
      settled.set(
        item.id,
        settledState(item, { model: embedded?.model ?? "", text: digestOf(textOf(item)) }),
      );
    return { settled, model: embedded?.model };
  }

  /** Takes all of a scope out. What has come to be there since is put in again. */
  async forget(scope: string): Promise<void> {
    for (const kind of kinds) {
      await this.words.removeScope(partitionOf(kind, scope));
      await this.vectors.removeScope(partitionOf(kind, scope));
    }
    const newer = await this.#records.states.find({ scope }, { limit: 100_000 });
    for (const { id } of newer) await this.#records.states.put({ id, scope, due: true, model: "", text: "" });
    await this.follow(newer.map(({ id }) => id));
  }

  async #remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.words.remove(ids);
    await this.vectors.remove(ids);
  }

  async #document(item: StoredItem): Promise<SearchDocument> {
    const near = await neighboursOf(this.#records, item);
    const before = near.find(({ place }) => place < item.place);
    const words = (contents: readonly string[]): string => contents.flatMap(termsOf).join(" ");
    return {
      id: item.id,
      scope: partitionOf(item.kind, item.scope),
      fields: {
        text: termsOf(textOf(item)).join(" "),
        near: words(near.map(({ content }) => content)),
        asked: words([before?.content ?? ""].filter(isQuestion)),
      },
    };
  }

  async #statesOf(ids: readonly string[]): Promise<IndexStates> {
    const found = await this.#records.states.find({ id: { in: ids } }, { limit: ids.length + 1 });
    return new Map(found.map((state) => [state.id, state]));
  }

  /** Stores the state of an item, or removes that of one that is gone. */
  async #settle(
    id: string,
    known: Stored<IndexState> | undefined,
    put: IndexState | undefined,
  ): Promise<void> {
    if (known === undefined && put === undefined) return;
    const write = { collection: "memory_states", ifVersion: known?.version ?? 0 };
    const change: Write = put === undefined ? { ...write, delete: id } : { ...write, put };
    await this.#parts.stores.commit([change]).catch((error: unknown) => {
      // Another host has changed the item meanwhile: then it is that host's to settle.
      if (!isConflict(error)) throw error;
    });
  }
}

/** Whether an item needs a new vector: it has none, or one of another text or model. */
const isOutdated = (state: IndexState, item: StoredItem, model = state.model): boolean =>
  state.model === "" || state.model !== model || state.text !== digestOf(textOf(item));

const settledState = (
  { id, scope }: StoredItem,
  { model, text }: Pick<IndexState, "model" | "text">,
): IndexState => ({
  id,
  scope,
  due: false,
  model,
  text,
});
