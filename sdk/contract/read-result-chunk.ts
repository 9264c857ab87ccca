import type { ResultChunk, ToolContext } from "./context.ts";
import type { OperationResult } from "./tool.ts";

/** The most characters of one piece. */
export const longestResultChunk = 32_768;

/** 2 % of the model's context window at four characters a token, but at least 8,192 characters. */
const defaultLength = (contextWindow: number): number =>
  Math.min(longestResultChunk, Math.max(8_192, Math.floor(contextWindow * 0.02 * 4)));

/**
 * Reads one piece of a stored result for the model: a header of facts, an empty line, the content. Offsets
 * and lengths count code points. Throws ToolError `not_found` for an unknown id. An operation that returns
 * this sets `keepWhole`, so that a piece is never stored again.
 */
export async function readResultChunk(
  context: Pick<ToolContext, "contextWindow" | "readResult">,
  id: string,
  range: { readonly offset: number; readonly length?: number | undefined },
): Promise<OperationResult> {
  const length = range.length ?? defaultLength(context.contextWindow);
  const chunk = await context.readResult(id, { offset: range.offset, length });
  return { data: textOf(chunk), message: nextStep(chunk) };
}

function nextStep({ nextOffset }: ResultChunk): string {
  if (nextOffset === null) return "This is the end of the result.";
  return `Read on at offset ${nextOffset}.`;
}

const textOf = ({ offset, length, totalLength, hasMore, nextOffset, content }: ResultChunk): string =>
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
