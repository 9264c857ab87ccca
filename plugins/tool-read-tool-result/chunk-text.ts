import type { ResultChunk } from "@pergola/sdk";

/**
 * Code points read at once when the model names no length: 2 % of its context window at four characters a
 * token, within 8192–32768.
 */
export const defaultLength = (contextWindow: number): number =>
  Math.min(32_768, Math.max(8_192, Math.floor(contextWindow * 0.02 * 4)));

/** A piece of a stored result as the model reads it: a header of facts, an empty line, the content. */
export const chunkText = ({
  offset,
  length,
  totalLength,
  hasMore,
  nextOffset,
  content,
}: ResultChunk): string =>
  [
    "[TOOL_RESULT_CHUNK]",
    `Offset: ${offset}`,
    `Length: ${length}`,
    `Total Length: ${totalLength}`,
    `Has More: ${hasMore}`,
    `Next Offset: ${nextOffset ?? "none"}`,
    "",
    content,
  ].join("\n");
