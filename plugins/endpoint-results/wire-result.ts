import type { StoredResult } from "@pergola/sdk";

export const wireResult = (result: StoredResult) => ({
  resultId: result.resultId,
  toolCallId: result.toolCallId,
  offset: result.offset,
  length: result.length,
  totalLength: result.totalLength,
  content: result.content,
  nextOffset: result.nextOffset,
  hasMore: result.hasMore,
  metadata: {
    mimeType: result.mimeType,
    toolName: result.toolName,
    operation: result.operation,
    conversationId: result.conversationId,
    bytes: result.bytes,
    createdAt: result.createdAt,
  },
});
