import { defined, type ChatMessage, type Conversation, type Message, type Write } from "@pergola/sdk";
import type { BranchSummary, ConversationKeeper, MessagePage, MessagePageQuery } from "@pergola/sdk/host";
import { ActiveConversations, notFound } from "./active-conversations.ts";
import { busy } from "./change-elsewhere.ts";
import { readContext } from "./context/read-context.ts";
import { idOf } from "./conversation-ids.ts";
import { activated, branchBelow, listBranches, newestThrough } from "./history/branch-changes.ts";
import { readBranchPage } from "./history/branch-page.ts";
import { isOn, readBranch, spansOf } from "./history/branches.ts";
import { historyOf } from "./history/place-request.ts";
import { mergeRequest, placeBelow, type MergedRequest, type AskedRun } from "./merge-request.ts";
import { storedMessage } from "./message-forms.ts";
import { noMessage } from "./pinned.ts";
import { readTurns, readTurnsTo } from "./read-turns.ts";

/** More messages than a conversation has. */
const everyMessage = 1_000_000;

/** The messages of conversations: a tree with an active branch each. */
export class BranchedConversations extends ActiveConversations {
  async get(idOrAlias: string): Promise<Conversation> {
    const found = await this.find(idOf(idOrAlias));
    if (found === undefined) throw notFound(idOrAlias);
    return found;
  }

  async messages(
    idOrAlias: string,
    {
      limit,
      after,
      before,
      newest = false,
      allBranches = false,
      visible,
      runId,
    }: Parameters<ConversationKeeper["messages"]>[1],
  ): Promise<readonly Message[]> {
    const id = idOf(idOrAlias);
    const { messages } = this.parts.stores;
    const page = { limit, after, before, newest, ...defined({ visible }) };
    const conversation = await this.find(id);
    if (!allBranches) return readBranch(messages, id, spansOf(conversation ?? {}), page);
    const seq = { gte: (after ?? 0) + 1, lt: before ?? Number.MAX_SAFE_INTEGER };
    const filter = { conversationId: id, seq, ...defined({ visible, runId }) };
    const found = await messages.find(filter, { order: newest ? "-seq" : "seq", limit });
    return newest ? found.toReversed() : found;
  }

  async messagePage(idOrAlias: string, query: MessagePageQuery): Promise<MessagePage> {
    const conversation = await this.get(idOrAlias);
    const named = async (id: string | undefined): Promise<Message | undefined> =>
      id === undefined ? undefined : this.messageOf(conversation.id, id);
    const [tip, around] = await Promise.all([named(query.tip), named(query.around)]);
    const page = await readBranchPage(this.parts.stores.messages, conversation, query, { tip, around });
    if (page === undefined) throw noMessage(query.around ?? "");
    return page;
  }

  async context(
    idOrAlias: string,
    query: Parameters<ConversationKeeper["context"]>[1],
  ): ReturnType<ConversationKeeper["context"]> {
    return readContext(this.parts, await this.get(idOrAlias), query);
  }

  async message(idOrAlias: string, messageId: string): Promise<Message> {
    return this.messageOf(idOf(idOrAlias), messageId);
  }

  isOnActiveBranch(conversation: Conversation, message: Message): boolean {
    return isOn(spansOf(conversation), message);
  }

  async branches(idOrAlias: string): Promise<readonly BranchSummary[]> {
    return listBranches(this.parts.stores.messages, await this.get(idOrAlias));
  }

  async chooseBranch(idOrAlias: string, messageId: string): Promise<Conversation> {
    const { id } = await this.get(idOrAlias);
    const message = await this.messageOf(id, messageId);
    const before = await this.get(id);
    const active = await newestThrough(this.parts.stores.messages, before, message);
    return this.change(id, (now) => {
      if (this.isActive(id) || now.nextSeq !== before.nextSeq) throw busy();
      return { ...now, ...active };
    });
  }

  addMessages(idOrAlias: string, messages: readonly ChatMessage[]): Promise<Conversation> {
    return this.#edit(idOrAlias, async (id) =>
      this.append(
        id,
        messages.map((each) => storedMessage(each)),
      ),
    );
  }

  removeMessages(idOrAlias: string, messageIds: readonly string[]): Promise<Conversation> {
    return this.#edit(idOrAlias, async (id) => {
      const all = await this.messages(id, { limit: everyMessage });
      const first = all.findIndex((message) => messageIds.includes(message.id));
      if (first < 0) throw noMessage(messageIds.join(", "));
      const rest = all.slice(first).filter((message) => !messageIds.includes(message.id));
      const branch = await this.branchBelow(id, all[first - 1] ?? null);
      return [branch, ...this.append(id, rest)];
    });
  }

  /** Stores changes to the messages of a conversation in which no run is at work. */
  async #edit(idOrAlias: string, write: (id: string) => Promise<readonly Write[]>): Promise<Conversation> {
    const { id } = await this.get(idOrAlias);
    if (this.isActive(id)) throw busy();
    const { runs, stores } = this.parts;
    const held = stores.storage.hosts === undefined ? undefined : await runs.hold(id);
    try {
      await this.open(id);
      await stores.commit(await write(id), held);
      return this.active(id);
    } finally {
      this.release(id);
      held?.release();
    }
  }

  protected async messageOf(id: string, messageId: string): Promise<Message & { readonly version: number }> {
    const found = await this.parts.stores.messages.get(messageId);
    if (found?.conversationId !== id) throw noMessage(messageId);
    return found;
  }

  /** The new messages of a request, and where they go. */
  protected async place(run: AskedRun, conversation: Conversation): Promise<MergedRequest> {
    const { parentMessageId, messages } = run.request;
    if (parentMessageId === undefined) {
      const count = historyOf(messages).length;
      return mergeRequest(run, await readTurns(this.parts.stores.messages, conversation, count));
    }
    const below = parentMessageId === null ? null : await this.messageOf(conversation.id, parentMessageId);
    const turns = below === null ? [] : await readTurnsTo(this.parts.stores.messages, conversation, below);
    return { messages: placeBelow(run, below, turns), below };
  }

  protected async switchTo(id: string, branch: number): Promise<void> {
    const active = this.active(id);
    if (branch !== (active.activeBranch ?? 0))
      this.set(id, await activated(this.parts.stores.messages, active, branch));
  }

  protected async branchBelow(id: string, below: Message | null): Promise<Write> {
    return this.set(id, await branchBelow(this.parts.stores.messages, this.active(id), below));
  }
}
