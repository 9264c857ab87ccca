import type { Entity, MemoryItem, MemoryKind, Storage, Write } from "@pergola/sdk";

/** An item as it is kept. */
export interface StoredItem extends MemoryItem {
  /** Orders the items of a service's life as they were stored, those of one millisecond too. */
  readonly place: number;
  /** Of kind and content. */
  readonly digest: string;
  /** The tool call that stored it. */
  readonly callId: string | null;
}

/**
 * What the search indexes hold of an item. Written with the item as `due`, and settled when they have
 * followed.
 */
export interface IndexState extends Entity {
  readonly scope: string;
  readonly due: boolean;
  /** The model whose index has its vector; empty when none has. */
  readonly model: string;
  /** The digest of the text that this vector stands for. */
  readonly text: string;
}

/** A model whose vectors there are: an index of its own. */
export interface EmbeddingModel extends Entity {
  readonly dimensions: number;
}

/** How far a conversation was read for `recall`. */
export interface HistoryState extends Entity {
  readonly nextSeq: number;
}

/** The turns `first` to `last` of a conversation, under `<conversation>/<first>`. */
export interface ChunkRecord extends Entity {
  readonly conversationId: string;
  readonly first: number;
  readonly last: number;
  readonly model: string;
}

export type Records = ReturnType<typeof openRecords>;

export const openRecords = (storage: Storage) => ({
  items: storage.collection<StoredItem>("memories", {
    indexes: [
      ["scope", "kind", "place"],
      ["scope", "digest", "place"],
      ["scope", "contentType", "place"],
      ["scope", "origin", "place"],
      ["scope", "place"],
      ["scope", "key"],
      ["kind", "place"],
      "place",
    ],
  }),
  states: storage.collection<IndexState>("memory_states", { indexes: ["due", "model", "scope"] }),
  models: storage.collection<EmbeddingModel>("memory_models", { indexes: [] }),
  /** Scopes whose records are gone, and whose index entries are to follow. */
  forgotten: storage.collection("memory_forgotten", { indexes: [] }),
  history: storage.collection<HistoryState>("memory_history", { indexes: [] }),
  chunks: storage.collection<ChunkRecord>("memory_chunks", { indexes: [["conversationId", "first"]] }),
});

/** The writes that forget a scope, and leave word for the indexes to follow. */
export const forgettingScope = (scope: string): readonly Write[] => [
  { collection: "memories", deleteWhere: { scope } },
  { collection: "memory_states", deleteWhere: { scope } },
  { collection: "memory_chunks", deleteWhere: { conversationId: scope } },
  { collection: "memory_history", delete: scope },
  { collection: "memory_forgotten", put: { id: scope } },
];

export const kinds: readonly MemoryKind[] = ["memory", "kv", "discovery", "solution", "pattern"];

/** The part of the indexes that holds the items of a kind and scope. */
export const partitionOf = (kind: MemoryKind, scope: string): string => `${kind}:${scope}`;

export function itemOf({
  place: _place,
  digest: _digest,
  callId: _callId,
  ...item
}: StoredItem & { readonly version?: number }): MemoryItem {
  const { version: _version, ...plain } = item as typeof item & { readonly version?: number };
  return { ...plain, source: plain.source ?? null };
}
