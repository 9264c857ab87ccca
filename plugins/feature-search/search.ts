import type { Conversation, Message } from "@pergola/sdk";
import type {
  FoundMessage,
  FoundMessages,
  MessageSearch,
  Parts,
  SearchKeeper,
  TextIndex,
  TextMatch,
  TextTerm,
} from "@pergola/sdk/host";
import { forgetting, Indexer } from "./indexer.ts";
import { parseQuery } from "./parse-query.ts";
import { searchedText } from "./searched-text.ts";
import { snippetOf } from "./snippet.ts";
import { TextScan } from "./text-scan.ts";

/** Matches that are counted and can be paged through. */
const mostMatches = 1000;

/** Messages read at a time. */
const pageSize = 20;

/** Finds messages by their words, in an index that follows the conversations. */
export class Search implements SearchKeeper {
  readonly #parts: Parts;
  readonly #texts: TextIndex;
  readonly #isLasting: boolean;
  readonly #indexer: Indexer;

  constructor(parts: Parts) {
    const lasting = parts.stores.storage.text?.("messages");
    this.#parts = parts;
    this.#texts = lasting ?? new TextScan();
    this.#isLasting = lasting !== undefined;
    this.#indexer = new Indexer(parts, this.#texts);
  }

  recover(): void {
    this.#indexer.start({ isEmpty: !this.#isLasting });
  }

  stop(): Promise<void> {
    return this.#indexer.stop();
  }

  readonly deletionWrites: SearchKeeper["deletionWrites"] = (conversationId) => [forgetting(conversationId)];

  async messages(search: MessageSearch): Promise<FoundMessages> {
    const { q, conversationId, role, from, to, limit, offset } = search;
    const scope = conversationId && this.#parts.conversations.idOf(conversationId);
    const terms = parseQuery(q);
    if (terms.length === 0) return { hits: [], count: 0, complete: this.#indexer.isComplete };
    await this.#indexer.catchUp();
    const complete = this.#indexer.isComplete;
    const matches = await this.#texts.find({
      terms,
      scope,
      kind: role,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      limit: mostMatches,
    });
    const found = await this.#shown(matches);
    const hits = await this.#hits(found.slice(offset, offset + limit), terms);
    return { hits, count: found.length, complete };
  }

  /** Matches in conversations that are there and not hidden. */
  async #shown(matches: readonly TextMatch[]): Promise<readonly TextMatch[]> {
    const ids = [...new Set(matches.map(({ scope }) => scope))];
    const found = await this.#parts.stores.conversations.find({ id: { in: ids } }, { limit: mostMatches });
    const shown = new Set(found.filter(({ hidden }) => !hidden).map(({ id }) => id));
    return matches.filter(({ scope }) => shown.has(scope));
  }

  async #hits(matches: readonly TextMatch[], terms: readonly TextTerm[]): Promise<readonly FoundMessage[]> {
    const hits: FoundMessage[] = [];
    const conversations = new Map<string, Promise<Conversation | undefined>>();
    for (let at = 0; at < matches.length; at += pageSize) {
      const page = matches.slice(at, at + pageSize);
      for (const { scope } of page) await this.#conversation(conversations, scope);
      const found = await this.#parts.stores.messages.find({ id: { in: page.map(({ id }) => id) } });
      const byId = new Map(found.map((message) => [message.id, message]));
      for (const { id, scope } of page) {
        const message = byId.get(id);
        const conversation = await this.#conversation(conversations, scope);
        if (message === undefined || conversation === undefined) continue;
        hits.push(this.#hit(message, conversation, terms));
        // Long texts take milliseconds: others get their turn in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return hits;
  }

  /** Read once, and before its messages: one of a store from before there were branches gets them by it. */
  #conversation(
    known: Map<string, Promise<Conversation | undefined>>,
    id: string,
  ): Promise<Conversation | undefined> {
    const found = known.get(id) ?? this.#parts.conversations.find(id);
    known.set(id, found);
    return found;
  }

  #hit(message: Message, conversation: Conversation, terms: readonly TextTerm[]): FoundMessage {
    const { id, conversationId, role, timestamp } = message;
    return {
      messageId: id,
      conversationId,
      title: conversation.title,
      role,
      timestamp,
      ...snippetOf(this.#parts.redact(searchedText(message)), terms),
      onActiveBranch: this.#parts.conversations.isOnActiveBranch(conversation, message),
    };
  }
}
