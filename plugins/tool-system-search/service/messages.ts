import type { IndexQuery } from "../index/queries.ts";

/** What an index is made from; another value means another index. */
export interface IndexSettings {
  /** Folder of the index file. */
  readonly folder: string;
  readonly roots: readonly string[];
  /**
   * Never searched: the service's data, credential stores, what the operator excluded. `~` is the user's
   * home.
   */
  readonly closed: readonly string[];
}

/** How far the index is. */
export interface IndexState {
  /** Names in the index. */
  readonly files: number;
  /** Files whose text and metadata are not read yet. */
  readonly unread: number;
  /** Every folder was visited since the index was opened. */
  readonly complete: boolean;
}

export interface Candidate {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export interface IndexAnswer {
  readonly candidates: readonly Candidate[];
  readonly total: number;
  readonly state: IndexState;
  /** Attributes that the index knows, when the wanted one is not among them. */
  readonly attributes?: readonly string[];
}

export type Facts = Readonly<Record<string, string | number>>;

/** Waits, at most `patience` milliseconds, until the index is up to date, and looks. */
export interface Request {
  readonly query: IndexQuery;
  readonly patience: number;
}

/** What the thread of an index does. */
export interface IndexTasks {
  readonly find: { readonly ask: Request; readonly answer: IndexAnswer };
}
