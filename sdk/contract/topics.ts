import type { Page, PageRange } from "./page.ts";

/** A named area that conversations share: its memory, its files, its terminal sessions. */
export interface Topic {
  /** A UUID; the scope of what is kept in it. */
  readonly id: string;
  /** No other topic has it, in any case. */
  readonly name: string;
  readonly description: string;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The folder that was made for its files; null before the first run in it. */
  readonly workspace: string | null;
}

/** What a conversation may do with the memory and the files of its topic. */
export type TopicAccess = "read" | "write";

/**
 * Rejections: AppError `not_found`, `invalid_value`. A conversation is attached and detached by its own field
 * `topicId`.
 */
export interface TopicService {
  /** By name. */
  list(page: PageRange): Promise<Page<Topic>>;
  get(id: string): Promise<Topic>;
  find(id: string): Promise<Topic | undefined>;
  /** The topic of that name, in any case. */
  findByName(name: string): Promise<Topic | undefined>;
  /** Conversations attached to it; those of sub-agents are not counted. */
  conversationCount(id: string): Promise<number>;
  /** A topic of that name that there is already is given back as it is. */
  create(
    fields: Pick<Topic, "name"> & Partial<Pick<Topic, "description">>,
  ): Promise<{ readonly topic: Topic; readonly isNew: boolean }>;
  /** Rejects with `id_taken` when another topic has the name. */
  update(id: string, changes: Partial<Pick<Topic, "name" | "description">>): Promise<Topic>;
  /** Detaches its conversations and forgets its memory. Rejects with `in_use` while a run works in it. */
  delete(id: string, options: { readonly deleteFiles: boolean }): Promise<void>;
}
