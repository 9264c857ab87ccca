import type { Conversation, MemoryItem, Message } from "@pergola/sdk";
import type { Parts, ResultRecord } from "@pergola/sdk/host";
import { inTurns, pages, pageSize } from "./pages.ts";

/** What belongs to a conversation, read as it is used up. */
export class Belongings {
  readonly conversation: Conversation;
  readonly #parts: Parts;

  constructor(parts: Parts, conversation: Conversation) {
    this.#parts = parts;
    this.conversation = conversation;
  }

  /** Those of the active branch, or of the whole tree. */
  async *messages({ allBranches = false } = {}): AsyncIterable<Message> {
    const { id } = this.conversation;
    for (let after = 0; ;) {
      const page = await this.#parts.conversations.messages(id, { limit: pageSize, after, allBranches });
      yield* inTurns(page);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.seq;
    }
  }

  /** Its own, and while it shares a topic the topic's; newest first. */
  async *memories(): AsyncIterable<MemoryItem> {
    const { memory, conversations } = this.#parts;
    if (memory === undefined) return;
    const scopes = new Set([this.conversation.id, conversations.scopeOf(this.conversation)]);
    for (const scope of scopes) yield* pages(async (page) => (await memory.list({ scope, ...page })).items);
  }

  async *archive() {
    const { archive } = this.#parts;
    if (archive !== undefined)
      yield* pages(async (page) => (await archive.list(this.conversation.id, page)).items);
  }

  /** One at a time: each may be large. */
  async *results(): AsyncIterable<ResultRecord> {
    const { results } = this.#parts.stores;
    const filter = { conversationId: this.conversation.id };
    for (let last: ResultRecord | undefined; ;) {
      const [found] = await results.find(filter, { limit: 1, ...(last && { after: last }) });
      if (found === undefined) return;
      const { version: _, ...record } = found;
      yield record;
      last = record;
    }
  }

  async todos() {
    return (await this.#parts.todos?.list(this.conversation.id)) ?? [];
  }

  async folder() {
    const { folderId } = this.conversation;
    if (folderId === null) return undefined;
    return this.#parts.folders?.find(folderId);
  }

  async topic() {
    const { topicId } = this.conversation;
    if (topicId === null) return undefined;
    return this.#parts.topics?.find(topicId);
  }
}
