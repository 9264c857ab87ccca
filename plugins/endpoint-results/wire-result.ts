import type { StoredResult } from "@pergola/sdk";

export function wireResult(result: StoredResult) {
  const { resultId, toolCallId, offset, length, totalLength, content, nextOffset, hasMore } = result;
  const { mimeType, toolName, operation, conversationId, bytes, createdAt } = result;
  const metadata = { mimeType, toolName, operation, conversationId, bytes, createdAt };
  return { resultId, toolCallId, offset, length, totalLength, content, nextOffset, hasMore, metadata };
}
