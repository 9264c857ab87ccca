import type { Page, PageRange } from "./page.ts";
import type { Entity } from "./storage.ts";

/** Why messages were left out. */
export type ArchiveReason = "token_limit" | "conversation_trimmed" | "compression" | "manual";

/**
 * What the messages that a model no longer sees have come to, all records before this one included; each list
 * oldest first.
 */
export interface ConversationDigest {
  /** How the conversation began. */
  readonly goal: string;
  /** What the person asked for afterwards. */
  readonly requests: readonly string[];
  readonly decisions: readonly string[];
  /** What else the model said. */
  readonly notes: readonly string[];
  readonly files: readonly string[];
  /** How often each operation was called. */
  readonly calls: Readonly<Record<string, number>>;
}

/** Neighbouring messages of a conversation that a model no longer sees. They stay stored. */
export interface ArchiveRecord extends Entity {
  readonly conversationId: string;
  /** Of the last message; absent on the first branch. */
  readonly branch?: number;
  /** Numbers of the first and the last message. */
  readonly first: number;
  readonly last: number;
  /** When they were said, ISO 8601 in UTC. */
  readonly from: string;
  readonly to: string;
  /** How many there are. */
  readonly messages: number;
  /** Of these messages alone. */
  readonly summary: string;
  readonly keyTopics: readonly string[];
  /** Estimated. */
  readonly tokenCount: number;
  readonly reason: ArchiveReason;
  readonly createdAt: string;
  readonly digest: ConversationDigest;
  /** What the model sees instead of all messages up to `last`, byte by byte. */
  readonly block: string;
  /** The digest is of a file from outside, not of messages that were said here. */
  readonly imported?: boolean;
  /** Numbers of the messages up to `last` that it sees all the same. */
  readonly kept: readonly number[];
}

/** What was left out of conversations so that they fit into the context of a model. */
export interface ArchiveService {
  /** In the order of the conversation; `limit` is 100 and `offset` 0 unless given. */
  list(conversationId: string, page?: PageRange): Promise<Page<ArchiveRecord>>;
}
