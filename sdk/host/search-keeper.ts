import type { SearchService } from "../contract/search.ts";
import type { Write } from "../contract/storage.ts";

/** The search in messages as the host uses it. */
export interface SearchKeeper extends SearchService {
  /** The writes that leave word that a conversation's messages are gone. */
  deletionWrites(conversationId: string): readonly Write[];
}
