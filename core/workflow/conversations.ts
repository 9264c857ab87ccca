import { rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  newId,
  type Caller,
  type Conversation,
  type ConversationFields,
  type ConversationFilter,
  type ConversationService,
  type Message,
  type Page,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { blankConversation as blank } from "./blank-conversation.ts";
import { aliasOf, idOf, scopeOf, workspaceName } from "./conversation-ids.ts";

const notFound = (id: string): AppError => new AppError({ code: "not_found", message: `There is no conversation "${id}".` });

/** Conversations and their messages. Those with a run in progress are held in memory, so that a run and a PATCH never undo each other. */
export class Conversations implements ConversationService {
  readonly #parts: Parts;
  /** Conversations of active runs, by id. */
  readonly #open = new Map<string, Conversation>();
  /** The last of those who read a conversation to change it. */
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Conversations whose first run is at work; they may be stored already, or never will be. */
  readonly #new = new Set<string>();
  #visible: Promise<number> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly idOf = idOf;
  readonly scopeOf = scopeOf;

  async get(idOrAlias: string): Promise<Conversation> {
    const found = await this.find(idOf(idOrAlias));
    if (found === undefined) throw notFound(idOrAlias);
    return found;
  }

  async find(id: string): Promise<Conversation | undefined> {
    return this.#open.get(id) ?? (await this.#parts.stores.conversations.get(id));
  }

  async list({ limit, offset = 0, q, folderId, topicId, includeHidden = false }: ConversationFilter): Promise<Page<Conversation>> {
    const filter = {
      ...(folderId === undefined ? {} : { folderId }),
      ...(topicId === undefined ? {} : { topicId }),
      ...(includeHidden ? {} : { hidden: false }),
    };
    const { conversations } = this.#parts.stores;
    if (q === undefined) {
      const [items, count] = await Promise.all([
        conversations.find(filter, { order: "-updated", offset, limit: limit ?? 1_000_000 }),
        folderId === undefined && topicId === undefined && !includeHidden ? this.#countVisible() : conversations.count(filter),
      ]);
      return { items: items.map((item) => this.#open.get(item.id) ?? item), count };
    }
    const wanted = q.toLowerCase();
    const all = (await conversations.find(filter, { order: "-updated", limit: 1_000_000 })).filter(({ title }) =>
      title.toLowerCase().includes(wanted),
    );
    return { items: all.slice(offset, limit === undefined ? undefined : offset + limit), count: all.length };
  }

  /** A conversation that is not stored yet. */
  async draft(id: string, alias: string | null, fields: ConversationFields): Promise<Conversation> {
    const now = this.#parts.timestamp();
    const title = await this.freeTitle(fields.title ?? blank.title);
    const titleSetBy = fields.title === undefined ? "default" : "user";
    return { ...blank, ...fields, title, titleSetBy, id, alias, created: now, updated: now };
  }

  async create(fields: ConversationFields & { readonly id?: string }, caller: Caller): Promise<Conversation> {
    const { id, ...rest } = fields;
    await this.#checkDirectory(rest.workingDirectory, caller);
    const made = await this.draft(id === undefined ? newId.uuid() : idOf(id), aliasOf(id), rest);
    this.#visible = undefined;
    await this.#parts.stores.commit([{ collection: "conversations", put: made, ifVersion: 0 }]).catch((cause: unknown) => {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      throw new AppError({ code: "id_taken", message: `A conversation "${id ?? ""}" exists already.`, cause });
    });
    return made;
  }

  async update(idOrAlias: string, changes: ConversationFields, caller: Caller): Promise<Conversation> {
    await this.#checkDirectory(changes.workingDirectory, caller);
    const titled = changes.title === undefined ? {} : { titleSetBy: "user" as const };
    return this.#change(idOf(idOrAlias), (now) => ({ ...now, ...changes, ...titled, settings: { ...now.settings, ...changes.settings } }));
  }

  async #change(id: string, make: (now: Conversation) => Conversation): Promise<Conversation> {
    return this.#inTurn(id, async () => {
      const read: Conversation & { readonly version?: number } = await this.get(id);
      const held = this.#open.get(id);
      const put = make(held ?? read);
      if (held !== undefined) this.#open.set(id, put);
      await this.#parts.stores.commit([
        { collection: "conversations", put, ...(held === undefined && read.version !== undefined ? { ifVersion: read.version } : {}) },
      ]);
      return put;
    });
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    this.#turns.set(id, turn);
    return turn.finally(() => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    });
  }

  /** Reads a conversation and keeps it in memory, changed, while a run works on it; undefined when there is none. */
  async open(id: string, make: (now: Conversation) => Conversation = (now) => now): Promise<Conversation | undefined> {
    return this.#inTurn(id, async () => {
      const found = await this.find(id);
      if (found !== undefined) this.hold(make(found));
      return this.#open.get(id);
    });
  }

  /** Keeps a conversation in memory that is not stored yet. */
  hold(conversation: Conversation): void {
    this.#open.set(conversation.id, conversation);
  }

  /** Changes a held conversation; the write that stores it. */
  set(id: string, changes: Partial<Conversation>): Write {
    const put = { ...this.held(id), ...changes };
    this.#open.set(id, put);
    return { collection: "conversations", put };
  }

  held(id: string): Conversation {
    return this.#open.get(id) as Conversation;
  }

  /** Numbers messages of a held conversation, and counts them; the writes that store them and the conversation. */
  append(id: string, drafts: readonly Partial<Message>[]): readonly Write[] {
    if (drafts.length === 0) return [];
    const held = this.held(id);
    if (held.nextSeq === 1) this.#new.add(id);
    const timestamp = this.#parts.timestamp();
    const messages = drafts.map((draft, index) => ({
      timestamp,
      ...draft,
      id: newId.uuid(),
      conversationId: id,
      seq: held.nextSeq + index,
    }));
    const messageCount = held.messageCount + drafts.filter(({ visible }) => visible === true).length;
    const write = this.set(id, { nextSeq: held.nextSeq + drafts.length, updated: timestamp, messageCount });
    return [...messages.map((put): Write => ({ collection: "messages", put })), write];
  }

  /** Those of the ids that a stored call has, answered or not. */
  async takenCallIds(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { messages, approvals, calls } = this.#parts.stores;
    const [toolCallId, limit] = [{ in: ids }, 1000];
    const found = await Promise.all([messages.find({ toolCallId }, { limit }), approvals.find({ toolCallId }, { limit })]);
    const started = await calls.find({ id: { in: ids } });
    return [...found.flat().map((one) => one.toolCallId ?? ""), ...started.map(({ id }) => id)];
  }

  release(id: string): void {
    this.#open.delete(id);
    if (this.#new.delete(id)) this.#visible = undefined;
  }

  /** Counted once, and again when one came or went: a long list is not counted for every page of it. */
  #countVisible(): Promise<number> {
    const count = (): Promise<number> => this.#parts.stores.conversations.count({ hidden: false });
    return this.#new.size > 0 ? count() : (this.#visible ??= count());
  }

  async delete(idOrAlias: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    const { id } = await this.get(idOrAlias);
    const release = await this.#parts.runs.close(id);
    const conversation = await this.get(id);
    const own = ["messages", "calls", "approvals", "grants", "results"].map((collection): Write => ({
      collection,
      deleteWhere: { conversationId: id },
    }));
    await this.#parts.approvals.cancelAll({ conversationId: id });
    this.#visible = undefined;
    await this.#parts.stores.commit([...own, { collection: "conversations", delete: id }]).finally(release);
    const made = conversation.workspace;
    if (deleteFiles && made !== null && scopeOf(conversation) === id) await rm(made, { recursive: true, force: true });
  }

  async messages(
    idOrAlias: string,
    {
      limit,
      after,
      before,
      newest = false,
    }: { readonly limit: number; readonly after?: number; readonly before?: number; readonly newest?: boolean },
  ): Promise<readonly Message[]> {
    const seq = { gte: after === undefined ? 0 : after + 1, lt: before ?? Number.MAX_SAFE_INTEGER };
    const found = await this.#parts.stores.messages.find(
      { conversationId: idOf(idOrAlias), seq },
      { order: newest ? "-seq" : "seq", limit },
    );
    return newest ? found.toReversed() : found;
  }

  activeRunId(id: string): string | null {
    return this.#parts.runs.activeIn(id)?.id ?? null;
  }

  async workingDirectoryOf(conversation: Conversation): Promise<string> {
    const folder =
      conversation.workingDirectory ?? conversation.workspace ?? path.join(this.#parts.workspaceBase(), workspaceName(conversation));
    if (conversation.workingDirectory === null && conversation.workspace === null) await this.#fixWorkspace(conversation.id, folder);
    return folder;
  }

  async #fixWorkspace(id: string, workspace: string): Promise<void> {
    if (this.#open.has(id)) this.set(id, { workspace });
    else if ((await this.find(id)) !== undefined) await this.#change(id, (now) => ({ ...now, workspace }));
  }

  /** Clashing titles get ` (n)`. */
  async freeTitle(title: string): Promise<string> {
    const { conversations } = this.#parts.stores;
    const isTaken = async (wanted: string): Promise<boolean> => (await conversations.count({ title: wanted })) > 0;
    if (!(await isTaken(title))) return title;
    const stem = title.replace(/ \(\d+\)$/, "");
    let n = 2 + (await conversations.count({ title: { gte: `${stem} (`, lt: `${stem} )` } }));
    while (await isTaken(`${stem} (${n})`)) n++;
    return `${stem} (${n})`;
  }

  async #checkDirectory(folder: string | null | undefined, caller: Caller): Promise<void> {
    if (folder !== undefined && folder !== null) await this.#parts.checkWorkingDirectory(folder, caller);
  }
}
