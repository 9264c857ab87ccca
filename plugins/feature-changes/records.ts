import {
  defined,
  type Collection,
  type Entity,
  type Filter,
  type FindOptions,
  type Storage,
} from "@pergola/sdk";
import type { ChangeGap, FileChangeRecord } from "@pergola/sdk/host";

/** The owner of a change: a call of a run, a call by hand, or a revert. */
export interface Owner extends Pick<
  FileChangeRecord,
  "runId" | "callId" | "revertId" | "conversationId" | "tool" | "operation"
> {
  /** The run's id, the call's or the revert's. */
  readonly ownerId: string;
  /** The first run of the chain that led here; the owner itself where there is none above. */
  readonly rootId: string;
  /**
   * The runs from the first one down to this, each followed by a slash: what a run and its sub-agents did
   * begins with the run's.
   */
  readonly lineage: string;
  /** Where a person looks for it: the conversation of the first run; its own where there is none above. */
  readonly personsConversationId: string;
}

export interface StoredChange extends Owner, Omit<FileChangeRecord, "rootRunId"> {
  /** The order in which changes were made, also across restarts. */
  readonly seq: number;
  /** The content that stood there before, where it is kept. */
  readonly contentId: string | null;
  /** Of a revert: the changes that it took back. */
  readonly undoes: readonly string[];
  /** The name of the host that makes it, where several share the storage. */
  readonly maker?: string | null;
}

export interface StoredGap extends Owner, ChangeGap {
  readonly id: string;
  readonly seq: number;
}

/** A kept content; the id begins with its SHA-256. */
export interface StoredContent {
  readonly id: string;
  readonly bytes: number;
  /** False from the promise to keep it until it is sure to be there. */
  readonly stored: boolean;
}

export const names = {
  changes: "service-changes/changes",
  gaps: "service-changes/gaps",
  contents: "service-changes/contents",
  /** Contents that may not be needed any more, by the id of the conversation that needed them. */
  orphans: "service-changes/orphans",
} as const;

const byOwner = [
  ["ownerId", "seq"],
  ["rootId", "seq", "lineage"],
  ["conversationId", "seq"],
  ["personsConversationId", "seq"],
] as const;

export function openRecords(storage: Storage) {
  return {
    changes: storage.collection<StoredChange>(names.changes, {
      indexes: [...byOwner, ["path", "seq"], ["from", "seq"], "contentId", "state", "seq"],
    }),
    gaps: storage.collection<StoredGap>(names.gaps, { indexes: [...byOwner, "seq"] }),
    contents: storage.collection<StoredContent>(names.contents, { indexes: ["stored"] }),
    orphans: storage.collection<{ readonly id: string; readonly contents: readonly string[] }>(
      names.orphans,
      { indexes: [] },
    ),
  };
}

export type Records = ReturnType<typeof openRecords>;

const pageSize = 500;

/** All records that a filter matches, read page by page. */
export async function* eachOf<T extends Entity>(
  collection: Collection<T>,
  filter: Filter<T>,
  order?: FindOptions<T>["order"],
): AsyncIterable<T> {
  for (let after: T | undefined; ;) {
    const page: readonly T[] = await collection.find(filter, defined({ order, limit: pageSize, after }));
    yield* page;
    after = page.at(-1);
    if (page.length < pageSize) return;
  }
}
