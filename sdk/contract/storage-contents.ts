import type { SearchDocument, SearchOptions } from "./storage.ts";

/** Some of what there is in a fixed order; `next` asks for what follows, and is undefined at the end. */
export interface ContentsPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** What a storage has, by name. */
export interface StorageNames {
  readonly collections: readonly {
    readonly name: string;
    readonly indexes: readonly (readonly string[])[];
  }[];
  /** Weights are 1 where a backend does not keep them. */
  readonly searches: readonly { readonly name: string; readonly options: SearchOptions }[];
}

/**
 * What a storage has, whoever put it there: `pergola migrate` reads it. Records are read through collections.
 * Text indexes are left out: they are built anew from what they index. Rejects with AppError.
 */
export interface StorageContents {
  list(): Promise<StorageNames>;
  /** The documents of a search. */
  documents(search: string, after?: string): Promise<ContentsPage<SearchDocument>>;
  /** The ids of blobs. */
  blobs(after?: string): Promise<ContentsPage<string>>;
}

/** A host that shares a storage. Times are in ISO 8601. */
export interface SharedHost {
  readonly label: string;
  /** Null where it is not known any more. */
  readonly openedAt: string | null;
  /** When the storage last heard of it; null for one that is gone. */
  readonly seenAt: string | null;
  /** Milliseconds since then, by the clock of the storage. */
  readonly silentFor: number | null;
  /** Commits of others that it has not read yet. */
  readonly unread: number | null;
  /** It is there; what one that is gone had is waiting to be taken over. */
  readonly isAlive: boolean;
  /** Names that it has, as `StorageHosts` gives them. */
  readonly names: readonly string[];
}

/** A run that has not ended, as far as a look at its host goes. */
export interface OpenRun {
  readonly conversationId: string;
  /** One of the statuses of a run. */
  readonly status: string;
}

/** A look at a storage from outside, which is no host of it and changes nothing. */
export interface StorageView {
  /** Which one it is, without secrets. */
  readonly place: string;
  /** Those that are there, and those that are gone and have left something, oldest first. */
  hosts(): Promise<readonly SharedHost[]>;
  /** The runs of these conversations that have not ended. */
  openRuns(conversationIds: readonly string[]): Promise<readonly OpenRun[]>;
  /**
   * How long the storage took for an answer, and how far its clock is ahead of this computer's, both in
   * milliseconds; the clock is known up to half of the time.
   */
  ping(): Promise<{ readonly answered: number; readonly clockAhead: number }>;
  close(): Promise<void>;
}
