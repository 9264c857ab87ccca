import type { SearchDocument, SearchIndex, Stored, Write } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { isConflict } from "./is-conflict.ts";
import { digestOf } from "./make-item.ts";
import { neighboursOf } from "./neighbours.ts";
import { kinds, partitionOf, type IndexState, type Records, type StoredItem } from "./records.ts";
import { termsOf, textOf } from "./terms.ts";
import { Vectors, type Embedded } from "./vectors.ts";

/**
 * What an item's own words count, those of what was stored just before and after it, and those of a question
 * just before it.
 */
const fields = { text: 1, near: 0.25, asked: 0.5 };

const isQuestion = (text: string): boolean => text.trimEnd().endsWith("?");

/** Items that need vectors, and those that an embedder has made, if there is one. */
export interface EmbeddedItems {
  readonly items: readonly StoredItem[];
  readonly embedded: Embedded | undefined;
}

/** What the indexes hold, by item. */
type IndexStates = ReadonlyMap<string, Stored<IndexState>>;

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
      const { version: _, ...state } = known.get(id) ?? {
        version: 0,
        id,
        scope,
        model: "",
        text: "",
      };
      return { collection: "memory_states", put: { ...state, due: true } };
    });
  }

  /**
   * Makes the indexes follow these items, whether they are there or gone. Their words can be found at once;
   * those whose vector is missing now, or was another text's and is gone, are given back. Where another host
   * has changed one meanwhile, this one may have put in what was before: it follows anew.
   */
  async follow(ids: readonly string[]): Promise<readonly string[]> {
    const [states, found] = await this.#read(ids);
    const items = new Map(found.map((item) => [item.id, item]));
    await this.#remove(ids.filter((id) => !items.has(id)));
    await this.words.index(await Promise.all(found.map((item) => this.#document(item))));
    const open = found.filter((item) => isOutdated(states.get(item.id), item)).map(({ id }) => id);
    await this.#removeVectors(open.filter((id) => states.get(id)?.model));
    const settled = (item: StoredItem): IndexState =>
      settledState(item, (!open.includes(item.id) && states.get(item.id)) || noVector);
    const isSettled = await Promise.all(
      ids.map((id) => this.#settle(id, states.get(id), items.get(id) && settled(items.get(id)!))),
    );
    const again = ids.filter((_, at) => isSettled[at] === false);
    if (again.length === 0) return open;
    return [...open.filter((id) => !again.includes(id)), ...(await this.follow(again))];
  }

  /** Makes vectors of those of these items that have none, or one of another text or model. */
  async embed(
    ids: readonly string[],
    { model, trace }: { readonly model?: string; readonly trace?: string | undefined } = {},
  ): Promise<EmbeddedItems> {
    const [states, found] = await this.#read(ids);
    const items = found.filter((item) => isOutdated(states.get(item.id), item, model));
    return { items, embedded: await this.vectors.embed(items.map(textOf), trace) };
  }

  /**
   * Stores vectors of items that have not changed since. Where another host has changed one meanwhile, its
   * vector is made anew later.
   */
  async putVectors({ items, embedded }: EmbeddedItems): Promise<void> {
    if (embedded === undefined) return;
    const { model, index } = embedded;
    const [states, found] = await this.#read(items.map(({ id }) => id));
    const digests = new Map(found.map((item) => [item.id, digestOf(textOf(item))]));
    const fresh = items
      .map((item, at) => ({ item, vector: embedded.vectors[at]!, text: digestOf(textOf(item)) }))
      .filter(({ item, text }) => digests.get(item.id) === text);
    const documents = fresh.map(({ item: { id, kind, scope } }) => ({ id, scope: partitionOf(kind, scope) }));
    await this.vectors.put({ model, index, vectors: fresh.map(({ vector }) => vector) }, documents);
    for (const { item, text } of fresh) {
      const known = states.get(item.id);
      const put = { ...settledState(item, { model, text }), due: known?.due ?? false };
      if (!(await this.#settle(item.id, known, put))) await this.#dropVector(put);
    }
  }

  /** Unless the same is there by now. */
  async #dropVector({ id, model, text }: IndexState): Promise<void> {
    const state = (await this.#statesOf([id])).get(id);
    if (state?.model === model && state.text === text) return;
    await this.vectors.remove([id]);
    if (state === undefined) return;
    const { version: _, ...known } = state;
    await this.#settle(id, state, { ...known, ...noVector });
  }

  /** Takes all of a scope out. What has come to be there since is put in again. */
  async forget(scope: string): Promise<void> {
    for (const kind of kinds) {
      await this.words.removeScope(partitionOf(kind, scope));
      await this.vectors.removeScope(partitionOf(kind, scope));
    }
    const newer = await this.#records.states.find({ scope }, { limit: 100_000 });
    for (const { id } of newer)
      await this.#records.states.put({
        id,
        scope,
        due: true,
        model: "",
        text: "",
      });
    await this.follow(newer.map(({ id }) => id));
  }

  #read(ids: readonly string[]): Promise<[IndexStates, readonly StoredItem[]]> {
    return Promise.all([this.#statesOf(ids), this.#records.items.find({ id: { in: ids } })]);
  }

  async #removeVectors(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.vectors.remove(ids);
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

  /**
   * Stores the state of an item, or removes that of one that is gone. False where another host has changed
   * the item meanwhile.
   */
  async #settle(
    id: string,
    known: Stored<IndexState> | undefined,
    put: IndexState | undefined,
  ): Promise<boolean> {
    if (known === undefined && put === undefined) return true;
    const write = { collection: "memory_states", ifVersion: known?.version ?? 0 };
    const change: Write = put === undefined ? { ...write, delete: id } : { ...write, put };
    try {
      await this.#parts.stores.commit([change]);
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }
}

const noVector = { model: "", text: "" };

/** Whether an item needs a new vector: it has none, or one of another text or model. */
const isOutdated = (
  state: Pick<IndexState, "model" | "text"> = noVector,
  item: StoredItem,
  model = state.model,
): boolean => state.model === "" || state.model !== model || state.text !== digestOf(textOf(item));

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
