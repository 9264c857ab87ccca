import { isDeepStrictEqual } from "node:util";
import {
  AppError,
  defined,
  newId,
  KeyedQueue,
  type Awaitable,
  type ChatMessage,
  type Conversation,
  type Filter,
  type Message,
  type Write,
} from "@pergola/sdk";
import { type ConversationKeeper, type Topic, retryConflicts, type Parts } from "@pergola/sdk/host";
import { changeElsewhere } from "./change-elsewhere.ts";
import { isFlat, toTree } from "./history/upgrade.ts";
import { changed } from "./places.ts";
import { usable, type Room } from "./window/budget.ts";
import { readWindow } from "./window/read-window.ts";
import { ConversationWindow } from "./window/conversation-window.ts";
import { Threads } from "./window/threads.ts";

/** What is said of an id or alias that nothing has. */
export const notFound = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no conversation "${id}".` });

interface ChangeOptions {
  readonly writes?: readonly Write[];
  readonly around?: (work: () => Promise<Conversation>) => Promise<Conversation>;
}

/**
 * Conversations with a run in progress stay in memory, so that a run and a change by hand never undo each
 * other.
 */
export class ActiveConversations {
  protected readonly parts: Parts;
  /** Conversations of active runs, by id. */
  readonly #open = new Map<string, Conversation>();
  /** What models see of them, by id. */
  readonly #windows = new Map<string, ConversationWindow>();
  readonly #threads: Threads;
  /** The last of those who read a conversation to change it. */
  readonly #turns = new KeyedQueue();
  /** Conversations with changes that the next `append` stores. */
  readonly #unsaved = new Set<string>();
  /** Conversations whose first run is at work; they may be stored already, or never will be. */
  readonly #new = new Set<string>();
  readonly #upgrades = new KeyedQueue();
  #visible: Promise<number> | undefined;

  constructor(parts: Parts, threads = new Threads(parts.stores.storage)) {
    this.parts = parts;
    this.#threads = threads;
  }

  async find(id: string): Promise<Conversation | undefined> {
    const found = this.#open.get(id) ?? (await this.parts.stores.conversations.get(id));
    return found !== undefined && isFlat(found) ? this.#upgrade(id) : found;
  }

  /** A conversation of a store made before there were branches gets them when it is first used. */
  #upgrade(id: string): Promise<Conversation | undefined> {
    const { conversations, messages, commit } = this.parts.stores;
    const upgrade = async (): Promise<Conversation | undefined> => {
      const found = await conversations.get(id);
      if (found === undefined || !isFlat(found)) return found;
      const { version: ifVersion, ...flat } = found;
      const put = await toTree(flat, messages, commit);
      await commit([{ collection: "conversations", put, ifVersion }]);
      return conversations.get(id);
    };
    return this.#upgrades.run(id, () => retryConflicts(upgrade));
  }

  /** As it is in memory, or as it was read. */
  protected newest(read: Conversation): Conversation {
    return this.#open.get(read.id) ?? read;
  }

  protected isActive(id: string): boolean {
    return this.#open.has(id);
  }

  /** `writes` are committed along with it; `around` is done around the change, in the conversation's turn. */
  protected async change(
    id: string,
    make: (now: Conversation) => Conversation,
    { writes = [], around = (work) => work() }: ChangeOptions = {},
  ): Promise<Conversation> {
    return this.#turns.run(id, () => around(() => retryConflicts(() => this.#change(id, make, writes))));
  }

  async #change(
    id: string,
    make: (now: Conversation) => Conversation,
    writes: readonly Write[],
  ): Promise<Conversation> {
    const read: (Conversation & { readonly version?: number }) | undefined = await this.find(id);
    if (read === undefined) throw notFound(id);
    const active = this.#open.get(id);
    const put = make(active ?? read);
    const write: Write = { collection: "conversations", put };
    if (active !== undefined) {
      this.#open.set(id, put);
      await this.parts.stores.commit([...writes, write], { fence: this.parts.runs.fenceIn(id) });
      return put;
    }
    const { runs, stores } = this.parts;
    if (stores.storage.hosts !== undefined && (await runs.workedInElsewhere([id])).size > 0) {
      if (await changeElsewhere(this.parts, { before: read, after: put, writes }))
        return (await this.find(id)) ?? put;
      return this.#change(id, make, []);
    }
    await this.parts.stores.commit([...writes, { ...write, ...defined({ ifVersion: read.version }) }]);
    return put;
  }

  put: ConversationKeeper["put"] = (id, fields) =>
    this.change(id, (now) => ({ ...now, ...(typeof fields === "function" ? fields(now) : fields) }));

  /** Reads a conversation and keeps it in memory while a run works on it; undefined when there is none. */
  open(id: string): Promise<Conversation | undefined> {
    return this.activate(id, (found) => found);
  }

  /**
   * Keeps in memory what `make` gives for a conversation, stored or not, while a run works on it. Nobody
   * deletes its topic meanwhile: the one that a request names, which is made where there is none, or its own.
   */
  async activate<T extends Conversation | undefined>(
    id: string,
    make: (found: Conversation | undefined, topic: Topic | undefined) => Awaitable<T>,
    { topicName, isNew = false }: { readonly topicName?: string; readonly isNew?: boolean } = {},
  ): Promise<T> {
    const { topics } = this.parts;
    const find = async (): Promise<Conversation | undefined> => (isNew ? undefined : this.find(id));
    const keep = async (found: Conversation | undefined, topic?: Topic): Promise<T> => {
      const made = await make(found, topic);
      if (made !== undefined) this.#open.set(id, made);
      return made;
    };
    return this.#turns.run(id, async () => {
      if (topics !== undefined && topicName !== undefined)
        return topics.obtain(topicName, async (topic) => keep(await find(), topic));
      const found = await find();
      const topicId = found?.topicId ?? null;
      if (topics === undefined || topicId === null) return keep(found);
      return topics.withLock(topicId, async () => keep(await find()));
    });
  }

  hasActiveIn(topicId: string): boolean {
    return [...this.#open.values()].some((one) => one.topicId === topicId);
  }

  async detachWrites(
    from: { readonly topicId: string } | { readonly folderId: string },
    limit: number,
  ): Promise<readonly Write[]> {
    const gone = Object.fromEntries(Object.keys(from).map((key) => [key, null]));
    const found = await this.parts.stores.conversations.find(from, { limit });
    return found.map(({ version: ifVersion, ...read }): Write => {
      if (this.isActive(read.id)) return this.set(read.id, changed(this.active(read.id), gone));
      return {
        collection: "conversations",
        put: changed(read, gone),
        ifVersion,
      };
    });
  }

  /** Changes an active conversation; the write that stores it. */
  set(id: string, changes: Partial<Conversation>): Write {
    const put = { ...this.active(id), ...changes };
    this.#open.set(id, put);
    return { collection: "conversations", put };
  }

  /** Changes an active conversation; the next `append` stores it. */
  setLater(id: string, changes: Partial<Conversation>): void {
    this.set(id, changes);
    this.#unsaved.add(id);
  }

  active(id: string): Conversation {
    return this.#open.get(id) as Conversation;
  }

  /**
   * From now on until it is released, an active conversation has a window on its active branch.
   */
  async openWindow(id: string, contextWindow: number): Promise<void> {
    const turns = this.parts.preferences.get<number>("conversations.max_history");
    const conversation = this.active(id);
    const read = await readWindow(this.parts, conversation, this.#threads.open(conversation), {
      tokens: usable(this.#contextWindow(id, contextWindow)),
      turns,
    });
    this.#windows.set(id, new ConversationWindow(this.parts, () => this.active(id), read));
  }

  fitWindow(id: string, room: Room): Promise<readonly ChatMessage[]> {
    const window = this.#windows.get(id) as ConversationWindow;
    return window.messages({
      ...room,
      contextWindow: this.#contextWindow(id, room.contextWindow),
    });
  }

  outlineWindow(id: string, contextWindow: number): ReturnType<ConversationKeeper["outlineWindow"]> {
    const { outline } = this.#windows.get(id) as ConversationWindow;
    return { contextWindow: this.#contextWindow(id, contextWindow), ...outline };
  }

  /** The person may want less than the model can. */
  #contextWindow(id: string, contextWindow: number): number {
    return Math.min(contextWindow, this.active(id).settings.contextWindowSize ?? contextWindow);
  }

  /**
   * Numbers messages of an active conversation, and counts them; the writes that store them, the conversation
   * and what its window has archived.
   */
  append(id: string, drafts: readonly Partial<Message>[]): readonly Write[] {
    const isUnsaved = this.#unsaved.delete(id);
    if (drafts.length === 0) return isUnsaved ? [this.set(id, {})] : [];
    const active = this.active(id);
    if (active.nextSeq === 1) this.#new.add(id);
    const timestamp = this.parts.timestamp();
    const ids = [active.activeMessageId ?? null, ...drafts.map(() => newId.uuid())];
    const branch = active.activeBranch || undefined;
    const messages = drafts.map((draft, index) =>
      defined({
        timestamp,
        ...draft,
        id: ids[index + 1],
        conversationId: id,
        parentMessageId: ids[index],
        branch,
        seq: active.nextSeq + index,
      }),
    );
    const messageCount = active.messageCount + drafts.filter(({ visible }) => visible === true).length;
    const window = this.#windows.get(id);
    const entries = this.#threads.add(id, messages as readonly Message[]);
    window?.add(entries);
    const archived = window?.takeWrites() ?? [];
    const write = this.set(id, {
      nextSeq: active.nextSeq + drafts.length,
      activeMessageId: ids.at(-1) ?? null,
      updated: timestamp,
      messageCount,
      ...(archived.length > 0 && { isArchived: true }),
    });
    return [
      ...messages.map((put): Write => ({ collection: "messages", put: put as Message })),
      ...archived,
      write,
    ];
  }

  release(id: string): void {
    const conversation = this.#open.get(id);
    const topicId = conversation?.topicId ?? null;
    if (conversation !== undefined) this.#threads.close(conversation);
    this.#open.delete(id);
    this.#unsaved.delete(id);
    if (topicId !== null) void this.#settle(topicId);
    this.#windows.delete(id);
    if (this.#new.delete(id)) this.recount();
  }

  async #settle(topicId: string): Promise<void> {
    await this.parts.topics
      ?.settle(topicId)
      .catch((error: unknown) => this.parts.log.warn({ error }, "a topic could not be settled"));
  }

  /**
   * All visible ones are counted once, and again when one came or went: a long list is not counted for every
   * page of it.
   */
  protected count(filter: Filter<Conversation>): Promise<number> {
    const { conversations } = this.parts.stores;
    const isVisible = isDeepStrictEqual(filter, { hidden: false });
    if (!isVisible || this.#new.size > 0) return conversations.count(filter);
    this.#visible ??= conversations.count(filter);
    return this.#visible;
  }

  /** One came or went. */
  protected recount(): void {
    this.#visible = undefined;
  }
}
