import type { ResultChunk, ResultRange } from "./context.ts";

/** A piece of a stored tool result, with the facts of the whole result. */
export interface StoredResult extends ResultChunk {
  readonly mimeType: string;
  readonly toolName: string;
  readonly operation: string;
  readonly conversationId: string;
  readonly bytes: number;
  readonly createdAt: string;
}

/** Reads tool results that were too large for the model's context. */
export interface ResultService {
  /** By result id or tool call id. Rejects with `not_found` (`details.similar`) or `invalid_value`. */
  read(id: string, range: ResultRange, conversationId?: string): Promise<StoredResult>;
}
