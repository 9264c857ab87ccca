import {
  AppError,
  ToolError,
  type HistoryChunk,
  type HistoryQuery,
  type MemoryChanges,
  type MemoryDraft,
  type MemoryHit,
  type MemoryItem,
  type MemoryKeeper,
  type MemoryPage,
  type MemoryPruning,
  type MemoryQuery,
  type MemoryService,
  type MemoryStatistics,
  type Page,
  type Parts,
  type RememberedMemory,
  type ScopedMemory,
} from "@pergola/sdk";
import { conversationsIn } from "./history/conversations-in.ts";

type Of = Parameters<MemoryKeeper["scoped"]>[0];

const isMissing = (error: unknown): boolean => AppError.is(error) && error.code === "not_found";

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

  store(drafts: readonly MemoryDraft[]): Promise<readonly RememberedMemory[]> {
    const { scope, callId, conversation } = this.#of;
    return this.#memory.store({ scope, callId, scopeKind: scope === conversation.id ? "conversation" : "topic" }, drafts);
  }

  search(query: MemoryQuery): Promise<readonly MemoryHit[]> {
    return this.#memory.search({ ...query, scopes: [this.#of.scope] });
  }

  async get(id: string): Promise<MemoryItem | undefined> {
    const found = await orMissing(this.#memory.get(id));
    return found?.scope === this.#of.scope ? found : undefined;
  }

  list(page: MemoryPage = {}): Promise<Page<MemoryItem>> {
    return this.#memory.list({ ...page, scope: this.#of.scope });
  }

  async update(id: string, changes: MemoryChanges): Promise<MemoryItem | undefined> {
    return (await this.get(id)) === undefined ? undefined : orMissing(this.#memory.update(id, changes));
  }

  async delete(id: string): Promise<boolean> {
    if ((await this.get(id)) === undefined) return false;
    return (await orMissing(this.#memory.delete(id).then(() => true))) ?? false;
  }

  statistics(): Promise<MemoryStatistics> {
    return this.#memory.statistics(this.#of.scope);
  }

  prune(rules: MemoryPruning): Promise<{ readonly removed: number; readonly remaining: number }> {
    return this.#memory.prune(this.#of.scope, rules);
  }

  async recall({ topicId, ...query }: HistoryQuery & { readonly topicId?: string }): Promise<readonly HistoryChunk[]> {
    const { conversation, scope } = this.#of;
    const { settings } = conversation;
    if (topicId !== undefined && ![conversation.topicId, settings.sharedTopicId].includes(topicId))
      throw new ToolError("permission_denied", `This conversation does not belong to the topic "${topicId}".`, {
        hint: "Leave topic_id out to search what this conversation may see.",
      });
    const conversationIds = await conversationsIn(this.#parts, conversation, topicId ?? scope);
    return this.#memory.recall({ ...query, conversationIds, ...(await this.#until()) });
  }

  /** In a run the newest turn of the person is the question itself. */
  async #until(): Promise<Pick<Parameters<MemoryService["recall"]>[0], "until">> {
    const { conversation, runId } = this.#of;
    if (runId === null) return {};
    const newest = await this.#parts.conversations.messages(conversation.id, { limit: 100, newest: true });
    const asked = newest.findLast(({ role, visible }) => role === "user" && visible);
    return asked === undefined ? {} : { until: { conversationId: conversation.id, seq: asked.seq } };
  }
}

/** undefined instead of `not_found`. */
function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
}
