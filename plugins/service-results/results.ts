import {
  AppError,
  newId,
  ToolError,
  type Conversation,
  type StoredResult,
  type ToolResult,
} from "@pergola/sdk";
import type { Parts, ResultKeeper, ResultRecord } from "@pergola/sdk/host";

/** Bytes of a large payload that the model gets at once. */
const headBytes = 8192;
const [hour, day] = [3_600_000, 86_400_000];

const closeTo = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The beginning of a text, at most `headBytes` of UTF-8, cut at a code point. */
function headOf(bytes: Buffer): string {
  let end = headBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

/** Large tool results: stored whole, read in pieces. Offsets and lengths count code points. */
export class Results implements ResultKeeper {
  readonly #parts: Parts;
  /** When old results were last looked for. */
  #pruned = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The result as the model gets it: as it is, or its beginning and where the rest stands. Rejects when it
   * cannot be stored.
   */
  async keep(
    result: ToolResult,
    of: {
      readonly callId: string;
      readonly tool: string;
      readonly operation: string;
      readonly conversationId: string;
    },
  ): Promise<ToolResult> {
    const field = typeof result.content === "string" ? "content" : "data";
    const payload = result[field] ?? "";
    const threshold = this.#parts.preferences.get<number>("tool_results.threshold_bytes");
    if (payload.length * 3 <= threshold || Buffer.byteLength(payload) <= threshold) return result;
    const bytes = Buffer.from(payload);
    const [resultId, totalLength, createdAt] = [
      newId.result(),
      [...payload].length,
      new Date(this.#parts.clock.now()).toISOString(),
    ];
    const { callId: toolCallId, tool: toolName, operation, conversationId } = of;
    const mimeType = field === "data" && /^\s*[[{]/.test(payload) ? "application/json" : "text/plain";
    const record: ResultRecord = {
      id: resultId,
      resultId,
      toolCallId,
      toolName,
      operation,
      conversationId,
      totalLength,
      content: payload,
      mimeType,
      bytes: bytes.length,
      createdAt,
    };
    void this.#prune();
    await this.#parts.stores.results.put(record).catch((cause: unknown) => {
      throw new ToolError("storage_unavailable", "The call was made, but its result could not be stored.", {
        cause,
      });
    });
    const head = headOf(bytes);
    const remaining = totalLength - [...head].length;
    const marker = `[TOOL_RESULT_STORED: resultId=${resultId}, toolCallId=${toolCallId}, totalLength=${totalLength}, remaining=${remaining}]`;
    return { ...result, [field]: `${head}\n${marker}`, resultId, totalLength, stored: true };
  }

  /**
   * The same for a tool call: results of its conversation or topic only. Throws ToolError `not_found` or
   * `invalid_value`.
   */
  async readFor(
    of: Conversation,
    id: string,
    range: { readonly offset: number; readonly length: number },
  ): Promise<StoredResult> {
    try {
      const found = await this.read(id, range);
      const { conversations } = this.#parts;
      const owner = found.conversationId === of.id ? of : await conversations.find(found.conversationId);
      if (owner === undefined || conversations.scopeOf(owner) !== conversations.scopeOf(of))
        throw await this.#unknown(id, of.id);
      return found;
    } catch (cause) {
      if (!AppError.is(cause)) throw cause;
      const similar = ((await this.#unknown(id, of.id)).details?.["similar"] ?? []) as readonly string[];
      const hint =
        similar.length > 0
          ? `Close ids: ${similar.join(", ")}.`
          : "Use the resultId of a stored result in this conversation.";
      throw new ToolError(cause.code, cause.message, { hint, cause });
    }
  }

  async read(
    id: string,
    { offset, length }: { readonly offset: number; readonly length: number },
    conversationId?: string,
  ): Promise<StoredResult> {
    const { results } = this.#parts.stores;
    const record = (await results.get(id)) ?? (await results.find({ toolCallId: id }, { limit: 1 }))[0];
    if (
      record === undefined ||
      record.createdAt < this.#oldest ||
      (conversationId !== undefined && record.conversationId !== conversationId)
    )
      throw await this.#unknown(id, conversationId);
    if (offset > record.totalLength)
      throw new AppError({
        code: "invalid_value",
        message: `offset ${offset} lies behind the end, ${record.totalLength}.`,
        param: "offset",
      });
    const content = sliceCodePoints(record.content, record.totalLength, offset, length);
    const got = Math.min(length, record.totalLength - offset);
    const hasMore = offset + got < record.totalLength;
    return { ...record, offset, length: got, content, hasMore, nextOffset: hasMore ? offset + got : null };
  }

  /** What was stored before that has had its time, `tool_results.retention_days`; ISO 8601 in UTC. */
  get #oldest(): string {
    const days = this.#parts.preferences.get<number>("tool_results.retention_days");
    return days === 0 ? "" : new Date(this.#parts.clock.now() - days * day).toISOString();
  }

  /** Removes what has had its time, at most once an hour. */
  async #prune(): Promise<void> {
    const [now, oldest] = [this.#parts.clock.now(), this.#oldest];
    if (oldest === "" || now - this.#pruned < hour) return;
    this.#pruned = now;
    await this.#parts.stores
      .commit([{ collection: "results", deleteWhere: { createdAt: { gte: "", lt: oldest } } }])
      .catch((error: unknown) => this.#parts.log.warn({ error }, "old tool results could not be removed"));
  }

  async #unknown(id: string, conversationId: string | undefined): Promise<AppError> {
    const known =
      conversationId === undefined
        ? []
        : await this.#parts.stores.results.find({ conversationId }, { limit: 1000 });
    const similar = known.map(({ resultId }) => resultId).filter((other) => closeTo(id, other) <= 3);
    const details = similar.length > 0 ? { details: { similar: similar.slice(0, 3) } } : {};
    return new AppError({ code: "not_found", message: `Tool result "${id}" not found.`, ...details });
  }
}

/** Where no character takes two code units, a plain slice does. */
function sliceCodePoints(text: string, codePoints: number, offset: number, length: number): string {
  return codePoints === text.length
    ? text.slice(offset, offset + length)
    : [...text].slice(offset, offset + length).join("");
}
