import type { Message } from "./conversation.ts";
import type { PageRange } from "./page.ts";

/** Which messages to find; all given fields must match. */
export interface MessageSearch extends Required<PageRange> {
  /** Words, `"phrases"` and beginnings of words (`word*`), all of which a message must hold. */
  readonly q: string;
  /** A UUID or an alias. */
  readonly conversationId?: string | undefined;
  readonly role?: Message["role"] | undefined;
  /** ISO 8601. */
  readonly from?: string | undefined;
  /** ISO 8601, exclusive. */
  readonly to?: string | undefined;
}

/** Where a match stands in a text: its first UTF-16 code unit, and how many there are. */
export type Mark = readonly [start: number, length: number];

/** A message that was found. */
export interface FoundMessage {
  readonly messageId: string;
  readonly conversationId: string;
  /** The conversation's. */
  readonly title: string;
  readonly role: Message["role"];
  readonly timestamp: string;
  /** Some 200 characters around the place where most of what was looked for stands; without secrets. */
  readonly snippet: string;
  /** In the snippet. */
  readonly marks: readonly Mark[];
  readonly onActiveBranch: boolean;
}

/** Messages that were found. */
export interface FoundMessages {
  /** The newest first. */
  readonly hits: readonly FoundMessage[];
  /** Matches before paging; counted up to 1000. */
  readonly count: number;
  /** False while there are messages that the index does not have yet. */
  readonly complete: boolean;
}

/** Finds messages by their words. */
export interface SearchService {
  /** Of conversations that are not hidden. Rejects with `invalid_id`. */
  messages(search: MessageSearch): Promise<FoundMessages>;
}
