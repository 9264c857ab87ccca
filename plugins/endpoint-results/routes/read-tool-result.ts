import { AppError, defineRoute, type ResultService } from "@pergola/sdk";
import { wireResult } from "../wire-result.ts";

/** Code points that are read at once for the whole text. */
const pieceLength = 1_048_576;

const response = {
  type: "object",
  properties: {
    resultId: { type: "string" },
    toolCallId: { type: "string" },
    offset: { type: "integer" },
    length: { type: "integer", description: "Code points in `content`" },
    totalLength: { type: "integer" },
    content: { type: "string" },
    nextOffset: { type: ["integer", "null"], description: "null at the end" },
    hasMore: { type: "boolean" },
    metadata: { type: "object" },
  },
} as const;

async function* wholeText(
  first: string,
  nextOffset: number | null,
  read: (offset: number) => ReturnType<ResultService["read"]>,
): AsyncGenerator<string> {
  yield first;
  for (let offset = nextOffset; offset !== null;) {
    const piece = await read(offset);
    yield piece.content;
    offset = piece.nextOffset;
  }
}

/** A piece of a stored tool result, or with `raw` its whole text. */
export const readToolResult = defineRoute({
  method: "GET",
  path: "/api/tool_result",
  scope: "read",
  summary: "Read a stored tool result",
  query: {
    resultId: {
      type: "string",
      aliases: ["toolCallId"],
      description: "Id of the result or of its tool call; required",
    },
    conversationId: { type: "string", description: "UUID or alias; must own the result" },
    offset: { type: "integer", minimum: 0, default: 0, description: "In code points" },
    length: { type: "integer", minimum: 1, maximum: 32_768, default: 8192, description: "In code points" },
    raw: { type: "boolean", default: false, description: "The whole content as text/plain" },
  },
  response,
  answers: { 200: { "text/plain": { type: "string" } } },
  failures: ["not_found"],
  async handle({ query }, { results, conversations }) {
    const { resultId, conversationId, offset, length, raw } = query;
    if (!resultId)
      throw new AppError({ code: "missing_field", message: "resultId is missing.", param: "resultId" });
    const owner = conversationId === undefined ? undefined : conversations.idOf(conversationId);
    if (!raw) return { body: wireResult(await results.read(resultId, { offset, length }, owner)) };
    const read = (from: number) => results.read(resultId, { offset: from, length: pieceLength }, owner);
    const first = await read(0);
    return {
      chunks: wholeText(first.content, first.nextOffset, read),
      contentType: "text/plain; charset=utf-8",
    };
  },
});
