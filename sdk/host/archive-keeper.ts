import type { ArchiveRecord, ArchiveService } from "../contract/archive.ts";
import type { HistoryChunk, HistoryQuery } from "../contract/memory.ts";
import type { Write } from "../contract/storage.ts";

/** What is known of a record when it is made. */
export type ArchiveDraft = Omit<ArchiveRecord, "id" | "createdAt" | "keyTopics">;

/** The archive as the host uses it. */
export interface ArchiveKeeper extends ArchiveService {
  /**
   * The records whose summaries and topics answer a question; best first, `score` 0 to 1 is the share of its
   * words that they have.
   */
  recall(
    query: HistoryQuery & { readonly conversationIds: readonly string[] },
  ): Promise<readonly HistoryChunk[]>;
  /** The last record that fits: one that ends on the active branch. */
  newest(
    conversationId: string,
    fits: (record: ArchiveRecord) => boolean,
  ): Promise<ArchiveRecord | undefined>;
  /** The writes that keep a record, for somebody's commit. */
  writes(draft: ArchiveDraft): readonly Write[];
  /** The writes that remove the records of a conversation, for somebody's commit. */
  deletionWrites(conversationId: string): readonly Write[];
}
