import type { Page, PageRange } from "./page.ts";
import type { JsonObject } from "../util/json.ts";

/** Loose memories, values under a key, and the three kinds of long-term memory. */
export type MemoryKind = "memory" | "kv" | "discovery" | "solution" | "pattern";

/**
 * Who said it. What a tool found or a file held is data that nobody vouches for, and is shown with its
 * origin.
 */
export type MemoryOrigin = "user" | "model" | "tool" | "import";

/** The conversation or topic that a memory belongs to. */
export interface MemoryScope {
  readonly scope: string;
  readonly scopeKind: "conversation" | "topic";
}

/**
 * The conversation in which something was stored, which may be gone by now, and the tool call that did it; a
 * call by hand has no run.
 */
export interface MemorySource {
  readonly conversationId: string;
  readonly runId: string | null;
  readonly callId: string | null;
}

/** A message that something remembered comes from; `at` is ISO 8601 in UTC. */
interface MessageOfMemory {
  readonly conversationId: string;
  readonly messageId: string;
  readonly at: string;
}

/** Something remembered, found again by its meaning, its words or its key, inside its scope. */
export interface MemoryItem extends MemoryScope {
  readonly id: string;
  readonly kind: MemoryKind;
  /** Of the kind `kv`; null for all others. */
  readonly key: string | null;
  readonly content: string;
  /** A word for what the content is, such as `fact`. */
  readonly contentType: string;
  readonly tags: readonly string[];
  /** Further text to find it by. */
  readonly context: string | null;
  /** 0 to 1. */
  readonly importance: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly origin: MemoryOrigin;
  readonly metadata: JsonObject;
  /** Where it comes from; null where nobody told. */
  readonly source: MemorySource | null;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * What is to be remembered; what is left out gets a default (kind `memory`, type `fact`, importance 0.5,
 * confidence 1).
 */
export type MemoryDraft = Pick<MemoryItem, "content" | "origin"> &
  Partial<
    Pick<
      MemoryItem,
      "kind" | "key" | "contentType" | "tags" | "context" | "importance" | "confidence" | "metadata"
    >
  >;

/** The result of storing one draft. */
export interface RememberedMemory {
  readonly item: MemoryItem;
  /** The scope had it already: nothing was stored. */
  readonly duplicate: boolean;
}

/** The fields of a memory that may be changed. */
export type MemoryChanges = Partial<
  Pick<MemoryItem, "content" | "contentType" | "tags" | "context" | "importance" | "confidence">
>;

/** Which memories to look at; all given fields must match. */
export interface MemoryFilter {
  readonly kinds?: readonly MemoryKind[];
  readonly key?: string;
  readonly contentType?: string;
  readonly tag?: string;
  readonly origin?: MemoryOrigin;
}

/** Newest first; `limit` is 50 and `offset` 0 unless given. */
export interface MemoryPage extends MemoryFilter, PageRange {}

/** A search in memories, by meaning and by words. */
export interface MemoryQuery extends MemoryFilter {
  readonly query: string;
  /** Default 10. */
  readonly limit?: number;
  /** The least similarity of a hit; default 0.3. */
  readonly threshold?: number;
  /** Nothing waits for the vector of the query: its words alone decide. */
  readonly wordsOnly?: boolean;
  /** The W3C traceparent below which the vector's span belongs; a tool's searches are below its call. */
  readonly trace?: string | undefined;
}

/** A memory that a search found. */
export interface MemoryHit {
  readonly item: MemoryItem;
  /**
   * 0 to 1: the cosine of the vectors, or how well the words fit, squared where vectors tell more; without
   * vectors that fit alone. It is the share of the query's words that the item holds, or of what they count,
   * rare ones more, there and around it.
   */
  readonly similarity: number;
}

/** Numbers about the memories of one scope. */
export interface MemoryStatistics {
  readonly total: number;
  readonly byKind: Readonly<Record<MemoryKind, number>>;
  /** By content type for the kind `memory`, by kind for the others. */
  readonly byType: Readonly<Record<string, number>>;
  /** Stored within the last 24 hours. */
  readonly recent: number;
  /** 0 when there is nothing. */
  readonly meanImportance: number;
  readonly lastUpdated: string | null;
}

/**
 * What is too old, too doubtful or, of its kind, too much is removed: the most certain and then the newest
 * stay.
 */
export interface MemoryPruning {
  readonly maxAgeDays: number;
  readonly minConfidence: number;
  /** How many of each kind may stay; kinds that are not named are left alone. */
  readonly most: Partial<Readonly<Record<MemoryKind, number>>>;
}

/** A search in earlier conversations. */
export interface HistoryQuery {
  readonly query: string;
  /** Default 3. */
  readonly limit?: number;
  /** Decides between equally good chunks. */
  readonly timeHint?: "recent" | "early";
  /** Nothing waits for the vector of the query: its words alone decide. */
  readonly wordsOnly?: boolean;
  /** The W3C traceparent below which the vector's span belongs; a tool's searches are below its call. */
  readonly trace?: string | undefined;
}

/** A few neighbouring turns of a conversation. */
export interface HistoryChunk {
  readonly id: string;
  readonly conversationId: string;
  /** When its first and its last turn were said, ISO 8601 in UTC. */
  readonly from: string;
  readonly to: string;
  /** Its first words. */
  readonly summary: string;
  readonly keyTopics: readonly string[];
  readonly content: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/**
 * Memory of one scope, as a tool call sees it. What would change it throws `permission_denied` where the
 * conversation may only read its topic. All arguments and results can be cloned between processes.
 */
export interface ScopedMemory {
  /**
   * Remembers each draft, in order, and can be found when it resolves. The same content within five minutes
   * is stored once, and so is what the same tool call stores again; a draft of the kind `kv` replaces the one
   * with its key. Throws `invalid_value` for a `kv` without a key.
   */
  store(drafts: readonly MemoryDraft[]): Promise<readonly RememberedMemory[]>;
  /** Best first. */
  search(query: MemoryQuery): Promise<readonly MemoryHit[]>;
  get(id: string): Promise<MemoryItem | undefined>;
  list(page?: MemoryPage): Promise<Page<MemoryItem>>;
  /** Search follows at once. undefined when the scope has no such item. */
  update(id: string, changes: MemoryChanges): Promise<MemoryItem | undefined>;
  /** False when the scope has no such item. */
  delete(id: string): Promise<boolean>;
  statistics(): Promise<MemoryStatistics>;
  prune(rules: MemoryPruning): Promise<{ readonly removed: number; readonly remaining: number }>;
  /**
   * What was said in the scope's conversations, or in those of a topic that the call's conversation is
   * attached to; best first. Throws `permission_denied` for another topic.
   */
  recall(query: HistoryQuery & { readonly topicId?: string }): Promise<readonly HistoryChunk[]>;
}

/**
 * Everything remembered, in all scopes. Items are found by id; rejections are AppError `not_found` or
 * `invalid_value`.
 */
export interface MemoryService {
  /** Rises when something remembered is changed or removed: what was read before may not hold any more. */
  readonly revision: number;
  /**
   * `callId`: what this tool call has stored before is not stored again, however long ago. The last to store
   * a value is its source. `once`: nor is any content that the scope has, however long ago it was stored.
   */
  store(
    of: MemoryScope & Partial<MemorySource> & { readonly once?: boolean },
    drafts: readonly MemoryDraft[],
  ): Promise<readonly RememberedMemory[]>;
  /**
   * Makes the vector of a query that is about to be asked. Resolves when a search for it need not wait for
   * that any more; never rejects.
   */
  prepare(query: Pick<MemoryQuery, "query" | "trace">): Promise<void>;
  /** In these scopes; without any named, in all of them, which takes longer the more there are. */
  search(query: MemoryQuery & { readonly scopes?: readonly string[] }): Promise<readonly MemoryHit[]>;
  get(id: string): Promise<MemoryItem>;
  /**
   * The messages of the person from which these come, by their ids; without those that come from none, or
   * whose message is gone.
   */
  sources(items: readonly Pick<MemoryItem, "id" | "source">[]): Promise<ReadonlyMap<string, MessageOfMemory>>;
  /** Of one scope, or of all. */
  list(page: MemoryPage & { readonly scope?: string }): Promise<Page<MemoryItem>>;
  /**
   * The newest of a scope, newest first. Nothing is counted, so it takes the same time however many there
   * are.
   */
  newest(of: MemoryFilter & { readonly scope: string }, limit: number): Promise<readonly MemoryItem[]>;
  update(id: string, changes: MemoryChanges): Promise<MemoryItem>;
  delete(id: string): Promise<void>;
  /** Also forgets what was read of the conversation with this id for `recall`. */
  deleteScope(scope: string): Promise<void>;
  statistics(scope: string): Promise<MemoryStatistics>;
  prune(
    scope: string,
    rules: MemoryPruning,
  ): Promise<{ readonly removed: number; readonly remaining: number }>;
  /**
   * `until`: what this conversation says from that message on is left out, for that is where the question
   * comes from.
   */
  recall(
    query: HistoryQuery & {
      readonly conversationIds: readonly string[];
      readonly until?: { readonly conversationId: string; readonly seq: number };
    },
  ): Promise<readonly HistoryChunk[]>;
}
