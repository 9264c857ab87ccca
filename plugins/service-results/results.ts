import {
  AppError,
  closeNames,
  newId,
  ToolError,
  type Conversation,
  type StoredResult,
  type ToolResult,
} from "@pergola/sdk";
import { pick, type Parts, type ResultKeeper, type ResultRecord } from "@pergola/sdk/host";

/** Bytes of a large payload that the model gets at once. */
const headBytes = 8192;
const [hour, day] = [3_600_000, 86_400_000];

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
  async store(result: ToolResult, of: Parameters<ResultKeeper["store"]>[1]): Promise<ToolResult> {
    const field = typeof result.content === "string" ? "content" : "data";
    const payload = result[field] ?? "";
    const threshold = this.#parts.preferences.get<number>("tool_results.threshold_bytes");
    if (payload.length * 3 <= threshold || Buffer.byteLength(payload) <= threshold) return result;
    const bytes = Buffer.from(payload);
    const resultId = newId.result();
    const totalLength = [...payload].length;
    const { callId: toolCallId, tool: toolName, operation, conversationId } = of;
    const isJson = field === "data" && /^\s*[[{]/.test(payload);
    const record: ResultRecord = {
      id: resultId,
      resultId,
      toolCallId,
      toolName,
      operation,
      conversationId,
      totalLength,
      content: payload,
      mimeType: isJson ? "application/json" : "text/plain",
      bytes: bytes.length,
      createdAt: new Date(this.#parts.clock.now()).toISOString(),
    };
    void this.#prune();
    const write = { collection: "results", put: record };
    await this.#parts.stores.commit([write], pick(of, "fence")).catch((cause: unknown) => {
      throw new ToolError("storage_unavailable", "The call was made, but its result could not be stored.", {
        cause,
      });
    });
    const head = headOf(bytes);
    const remaining = totalLength - [...head].length;
    const marker =
      `resultId=${resultId}, toolCallId=${toolCallId}, ` +
      `totalLength=${totalLength}, remaining=${remaining}`;
    const text = `${head}\n[TOOL_RESULT_STORED: ${marker}]`;
    return { ...result, [field]: text, resultId, totalLength, stored: true };
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
      let hint = "Use the resultId of a stored result in this conversation.";
      if (similar.length > 0) hint = `Close ids: ${similar.join(", ")}.`;
      throw new ToolError(cause.code, cause.message, { hint, cause });
    }
  }

  async read(
    id: string,
    { offset, length }: { readonly offset: number; readonly length: number },
    conversationId?: string,
  ): Promise<StoredResult> {
    const { results } = this.#parts.stores;
    const ofCall = async () => (await results.find({ toolCallId: id }, { limit: 1 }))[0];
    const record = (await results.get(id)) ?? (await ofCall());
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
    const nextOffset = hasMore ? offset + got : null;
    return { ...record, offset, length: got, content, hasMore, nextOffset };
  }

  /** What was stored before that has had its time, `tool_results.retention_days`; ISO 8601 in UTC. */
  get #oldest(): string {
    const days = this.#parts.preferences.get<number>("tool_results.retention_days");
    if (days === 0) return "";
    return new Date(this.#parts.clock.now() - days * day).toISOString();
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
    const similar = await this.#similar(id, conversationId);
    return new AppError({
      code: "not_found",
      message: `Tool result "${id}" not found.`,
      ...(similar.length > 0 && { details: { similar } }),
    });
  }

  /** Up to three ids of a conversation's results that differ from this one by a slip. */
  async #similar(id: string, conversationId: string | undefined): Promise<readonly string[]> {
    if (conversationId === undefined) return [];
    const known = await this.#parts.stores.results.find({ conversationId }, { limit: 1000 });
    const ids = known.map(({ resultId }) => resultId);
    return closeNames(id, ids);
  }
}

/** Where no character takes two code units, a plain slice does. */
function sliceCodePoints(text: string, codePoints: number, offset: number, length: number): string {
  const end = offset + length;
  if (codePoints === text.length) return text.slice(offset, end);
  return [...text].slice(offset, end).join("");
}
