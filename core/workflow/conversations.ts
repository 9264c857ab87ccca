import { rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  conversationIdOfAlias,
  isUuid,
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

const defaults = {
  alias: null,
  title: "New Conversation",
  titleSetBy: "default",
  messageCount: 0,
  model: null,
  settings: {},
  folderId: null,
  topicId: null,
} as const;
const blank = {
  ...defaults,
  isPinned: false,
  hidden: false,
  isFromAPI: true,
  workingDirectory: null,
  workspace: null,
  enabledCustomInstructionIds: [],
  nextSeq: 1,
};

const notFound = (id: string): AppError => new AppError({ code: "not_found", message: `There is no conversation "${id}".` });

/** The id under which memory, files and terminal work are kept. */
export const scopeOf = ({ id, settings }: Conversation): string =>
  settings.useSharedData === true && settings.sharedTopicId ? settings.sharedTopicId : id;

/** UUIDs in lower case; any other text of 1–200 characters is an alias. */
export function idOf(idOrAlias: string): string {
  if (isUuid(idOrAlias)) return idOrAlias.toLowerCase();
  // eslint-disable-next-line no-control-regex
  if (/^[^\u0000-\u001f\u007f]{1,200}$/u.test(idOrAlias)) return conversationIdOfAlias(idOrAlias);
  throw new AppError({
    code: "invalid_id",
    message: "A conversation id is a UUID, or 1 to 200 characters without control characters.",
    param: "conversationId",
  });
}

/** The text that a client uses instead of a UUID. */
export const aliasOf = (given: string | undefined): string | null => (given === undefined || isUuid(given) ? null : given);

/** Conversations and their messages. Those with a run in progress are held in memory, so that a run and a PATCH never undo each other. */
export class Conversations implements ConversationService {
  readonly #parts: Parts;
  /** Conversations of active runs, by id. */
  readonly #open = new Map<string, Conversation>();

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
        conversations.count(filter),
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
    await this.#parts.stores.commit([{ collection: "conversations", put: made, ifVersion: 0 }]).catch((cause: unknown) => {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      throw new AppError({ code: "id_taken", message: `A conversation "${id ?? ""}" exists already.`, cause });
    });
    return made;
  }

  async update(idOrAlias: string, changes: ConversationFields, caller: Caller): Promise<Conversation> {
    await this.#checkDirectory(changes.workingDirectory, caller);
    const { id, settings } = await this.get(idOrAlias);
    const titled = changes.title === undefined ? {} : { titleSetBy: "user" as const };
    const merged = changes.settings === undefined ? {} : { settings: { ...settings, ...changes.settings } };
    const { conversation, write } = await this.change(id, { ...changes, ...merged, ...titled });
    await this.#parts.stores.commit([write]);
    return conversation;
  }

  /** The changed record and the write that stores it. */
  async change(id: string, changes: Partial<Conversation>): Promise<{ readonly conversation: Conversation; readonly write: Write }> {
    const now = await this.get(id);
    const conversation = { ...now, ...changes };
    if (this.#open.has(id)) this.#open.set(id, conversation);
    return { conversation, write: { collection: "conversations", put: conversation } };
  }

  /** Keeps a conversation in memory while a run works on it. */
  hold(conversation: Conversation): void {
    this.#open.set(conversation.id, conversation);
  }

  held(id: string): Conversation {
    return this.#open.get(id) as Conversation;
  }

  /** Numbers messages of a held conversation, and counts them; the writes that store them and the conversation. */
  append(id: string, drafts: readonly Partial<Message>[]): readonly Write[] {
    if (drafts.length === 0) return [];
    const held = this.held(id);
    const timestamp = this.#parts.timestamp();
    const messages = drafts.map((draft, index) => ({
      timestamp,
      ...draft,
      id: newId.uuid(),
      conversationId: id,
      seq: held.nextSeq + index,
    }));
    const messageCount = held.messageCount + drafts.filter(({ visible }) => visible === true).length;
    const conversation = { ...held, nextSeq: held.nextSeq + drafts.length, updated: timestamp, messageCount };
    this.#open.set(id, conversation);
    return [...messages.map((put): Write => ({ collection: "messages", put })), { collection: "conversations", put: conversation }];
  }

  /** Those of the ids that a stored call has. */
  async takenCallIds(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const found = await this.#parts.stores.messages.find({ toolCallId: { in: ids } }, { limit: ids.length });
    return found.map(({ toolCallId }) => toolCallId ?? "");
  }

  release(id: string): void {
    this.#open.delete(id);
  }

  async delete(idOrAlias: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    const conversation = await this.get(idOrAlias);
    const { id } = conversation;
    const release = await this.#parts.runs.close(id);
    const own = ["messages", "calls", "approvals", "grants", "results"].map((collection): Write => ({
      collection,
      deleteWhere: { conversationId: id },
    }));
    await this.#parts.approvals.cancelAll({ conversationId: id });
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
    const folder = conversation.workingDirectory ?? conversation.workspace ?? this.#workspaceFor(conversation);
    if (conversation.workingDirectory === null && conversation.workspace === null) await this.#fixWorkspace(conversation.id, folder);
    return folder;
  }

  #workspaceFor(conversation: Conversation): string {
    const slug = conversation.title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 40);
    return path.join(this.#parts.workspaceBase(), `${slug || "conversation"}-${scopeOf(conversation).slice(0, 8)}`);
  }

  async #fixWorkspace(id: string, workspace: string): Promise<void> {
    if (this.#open.has(id)) this.#open.set(id, { ...this.held(id), workspace });
    else if ((await this.find(id)) !== undefined) await this.#parts.stores.commit([(await this.change(id, { workspace })).write]);
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
