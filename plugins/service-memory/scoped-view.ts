import {
  AppError,
  ToolError,
  type HistoryChunk,
  type HistoryQuery,
  type MemoryChanges,
  type MemoryDraft,
  type MemoryHit,
  type MemoryItem,
  type MemoryPage,
  type MemoryQuery,
  type MemoryScope,
  type MemoryService,
  type Page,
  type RememberedMemory,
  type ScopedMemory,
} from "@pergola/sdk";
import type { MemoryKeeper, MemoryPruning, MemoryStatistics, Parts } from "@pergola/sdk/host";
import { conversationsIn } from "./history/conversations-in.ts";
import type { RecallQuery } from "./history/recall-query.ts";

type Of = Parameters<MemoryKeeper["scoped"]>[0];

/** Memory as one tool call sees it: its scope's and nothing else. */
export class ScopedView implements ScopedMemory {
  readonly #memory: MemoryService;
  readonly #parts: Parts;
  readonly #of: Of;

  constructor(memory: MemoryService, parts: Parts, of: Of) {
    this.#memory = memory;
    this.#parts = parts;
    this.#of = of;
  }

  async store(drafts: readonly MemoryDraft[]): Promise<readonly RememberedMemory[]> {
    this.#checkWritable();
    const { scope, callId, runId, conversation } = this.#of;
    const conversationId = conversation.id;
    let scopeKind: MemoryScope["scopeKind"] = "topic";
    if (scope === conversationId) scopeKind = "conversation";
    const origin = { scope, scopeKind, conversationId, runId, callId };
    return this.#memory.store(origin, drafts);
  }

  /** Throws `permission_denied` in a topic that the conversation may only read. */
  #checkWritable(): void {
    const { scope, conversation } = this.#of;
    if (scope !== conversation.topicId || conversation.settings.sharedTopicAccess !== "read") return;
    throw new ToolError("permission_denied", "This conversation may only read the memory of its topic.", {
      hint:
        "Tell the person what you would have changed; " +
        'they can attach the conversation with access "write".',
    });
  }

  search(query: MemoryQuery): Promise<readonly MemoryHit[]> {
    return this.#memory.search({ ...query, scopes: [this.#of.scope] });
  }

  async get(id: string): Promise<MemoryItem | undefined> {
    const found = await orMissing(this.#memory.get(id));
    if (found?.scope === this.#of.scope) return found;
    return undefined;
  }

  list(page: MemoryPage = {}): Promise<Page<MemoryItem>> {
    return this.#memory.list({ ...page, scope: this.#of.scope });
  }

  async update(id: string, changes: MemoryChanges): Promise<MemoryItem | undefined> {
    this.#checkWritable();
    if ((await this.get(id)) === undefined) return undefined;
    return orMissing(this.#memory.update(id, changes));
  }

  async delete(id: string): Promise<boolean> {
    this.#checkWritable();
    if ((await this.get(id)) === undefined) return false;
    return (await orMissing(this.#memory.delete(id).then(() => true))) ?? false;
  }

  statistics(): Promise<MemoryStatistics> {
    return this.#memory.statistics(this.#of.scope);
  }

  async prune(rules: MemoryPruning): Promise<{ readonly removed: number; readonly remaining: number }> {
    this.#checkWritable();
    return this.#memory.prune(this.#of.scope, rules);
  }

  async recall({
    topicId,
    ...query
  }: HistoryQuery & { readonly topicId?: string }): Promise<readonly HistoryChunk[]> {
    const { conversation, scope } = this.#of;
    if (topicId !== undefined && topicId !== conversation.topicId)
      throw new ToolError(
        "permission_denied",
        `This conversation does not belong to the topic "${topicId}".`,
        { hint: "Leave topic_id out to search what this conversation may see." },
      );
    const conversationIds = await conversationsIn(this.#parts, conversation, topicId ?? scope);
    return this.#memory.recall({
      ...query,
      conversationIds,
      ...(await this.#until()),
    });
  }

  /** In a run the newest turn of the person is the question itself. */
  async #until(): Promise<Pick<RecallQuery, "until">> {
    const { conversation, runId } = this.#of;
    if (runId === null) return {};
    const newest = await this.#parts.conversations.messages(conversation.id, { limit: 100, newest: true });
    const asked = newest.findLast(({ role, visible }) => role === "user" && visible);
    if (asked === undefined) return {};
    return { until: { conversationId: conversation.id, seq: asked.seq } };
  }
}

/** undefined instead of `not_found`. */
function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (AppError.is(error) && error.code === "not_found") return undefined;
    throw error;
  });
}
