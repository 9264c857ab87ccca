import { rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  defined,
  newId,
  type Caller,
  type Conversation,
  type ConversationFields,
  type Message,
  type Page,
  type RunRequest,
  type Write,
} from "@pergola/sdk";
import type {
  MessageChanges,
  ActiveRun,
  ConversationFilter,
  ConversationKeeper,
  Parts,
} from "@pergola/sdk/host";
import { blankConversation as blank } from "./blank-conversation.ts";
import { aliasOf, idOf, scopeOf, workspaceName } from "./conversation-ids.ts";
import { BranchedConversations, busy } from "./branched-conversations.ts";
import { forgettingTips, Tips } from "./history/tips.ts";
import { requestedFields, type AskedRun } from "./merge-request.ts";
import { cancelledAnswer, doubtfulAnswer, storedMessage } from "./message-forms.ts";
import { withTextIds } from "./named-texts.ts";
import { pinnedWith } from "./pinned.ts";
import { changed, isAttachment, whileThere, withStoredIds } from "./places.ts";
import { setTitleFromMarker, setTitleAtEnd, freeTitle } from "./titles.ts";
import { checkWorkingDirectory, workspaceBase } from "./working-directory.ts";

/** Conversations and their messages: made, listed, changed, shown to models, removed. */
export class Conversations extends BranchedConversations implements ConversationKeeper {
  readonly #tips: Tips;
  readonly idOf = idOf;
  readonly scopeOf = scopeOf;

  constructor(parts: Parts) {
    super(parts);
    this.#tips = new Tips(parts);
  }

  async list({
    limit,
    offset = 0,
    q,
    folderId,
    topicId,
    includeHidden = false,
  }: ConversationFilter): Promise<Page<Conversation>> {
    const filter = defined({
      folderId: folderId?.toLowerCase(),
      topicId: topicId?.toLowerCase(),
      hidden: includeHidden ? undefined : false,
    });
    const { conversations } = this.parts.stores;
    if (q === undefined) {
      const [items, count] = await Promise.all([
        conversations.find(filter, { order: "-updated", offset, limit: limit ?? 1_000_000 }),
        folderId === undefined && topicId === undefined && !includeHidden
          ? this.countVisible()
          : conversations.count(filter),
      ]);
      return { items: items.map((item) => this.newest(item)), count };
    }
    const wanted = q.toLowerCase();
    const all = (await conversations.find(filter, { order: "-updated", limit: 1_000_000 })).filter(
      ({ title }) => title.toLowerCase().includes(wanted),
    );
    return { items: all.slice(offset, limit === undefined ? undefined : offset + limit), count: all.length };
  }

  /** A conversation that is not stored yet. */
  async draft(id: string, alias: string | null, fields: ConversationFields): Promise<Conversation> {
    const now = this.parts.timestamp();
    const title = await freeTitle(this.parts, fields.title ?? blank.title);
    const titleSetBy = fields.title === undefined ? "default" : "user";
    return changed({ ...blank, id, alias, created: now, updated: now }, {
      ...fields,
      title,
      titleSetBy,
    } as ConversationFields);
  }

  async create(fields: ConversationFields & { readonly id?: string }, caller: Caller): Promise<Conversation> {
    const { id, ...given } = fields;
    const rest = withStoredIds(given);
    await this.#checkDirectory(rest.workingDirectory, caller);
    const known = await withTextIds(this.parts, rest);
    return whileThere(this.parts, known, async () => {
      const made = await this.draft(id === undefined ? newId.uuid() : idOf(id), aliasOf(id), known);
      await this.adopt(made, [], { replaces: false });
      return made;
    });
  }

  async adopt(
    conversation: Conversation,
    writes: readonly Write[],
    { replaces }: { readonly replaces: boolean },
  ): Promise<void> {
    const { id, alias } = conversation;
    const release = replaces ? await this.parts.runs.close(id) : () => undefined;
    const put: Write = {
      collection: "conversations",
      put: conversation,
      ...(!replaces && { ifVersion: 0 }),
    };
    try {
      if (replaces) await this.parts.approvals.cancelAll({ conversationId: id });
      this.recount();
      await this.parts.stores.commit([...(replaces ? await this.#forgetting(id) : []), put, ...writes]);
    } catch (cause) {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      throw new AppError({
        code: "id_taken",
        message: `A conversation "${alias ?? id}" exists already.`,
        cause,
      });
    } finally {
      release();
    }
    if (replaces) void this.parts.hooks.conversationEnded(id);
  }

  async update(idOrAlias: string, given: ConversationFields, caller: Caller): Promise<Conversation> {
    const [id, changes] = [idOf(idOrAlias), withStoredIds(given)];
    await this.#checkDirectory(changes.workingDirectory, caller);
    const known = await withTextIds(this.parts, changes, () => this.get(idOrAlias));
    const make = (now: Conversation): Conversation => {
      if (this.isHeld(id) && isAttachment(now, known)) throw busy();
      return { ...changed(now, known), ...(known.title !== undefined && { titleSetBy: "user" }) };
    };
    return this.change(id, make, { around: (work) => whileThere(this.parts, known, work) });
  }

  async delete(idOrAlias: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    const { id } = await this.get(idOrAlias);
    const release = await this.parts.runs.close(id);
    const conversation = await this.get(id);
    await this.parts.approvals.cancelAll({ conversationId: id });
    this.recount();
    await this.parts.stores
      .commit([...(await this.#forgetting(id)), { collection: "conversations", delete: id }])
      .finally(release);
    void this.parts.hooks.conversationEnded(id);
    const made = conversation.workspace;
    if (deleteFiles && made !== null) await rm(made, { recursive: true, force: true });
  }

  /** The writes that forget all that belongs to a conversation. */
  async #forgetting(id: string): Promise<readonly Write[]> {
    const collections = ["messages", "calls", "approvals", "grants", "results", "run_events"];
    const own = collections.map((collection): Write => ({ collection, deleteWhere: { conversationId: id } }));
    const forgotten = [this.parts.memory, this.parts.todos, this.parts.archive].flatMap(
      (part) => part?.forgetting(id) ?? [],
    );
    return [forgettingTips(id), ...own, ...forgotten, ...((await this.parts.changes?.forgetting(id)) ?? [])];
  }

  async updateMessage(idOrAlias: string, messageId: string, changes: MessageChanges): Promise<Message> {
    const { id } = await this.get(idOrAlias);
    const { version, ...message } = await this.messageOf(id, messageId);
    const put = { ...message, ...changes, lastModified: this.parts.timestamp() };
    const pinned = (now: Conversation) => ({ ...now, pinnedMessageIds: pinnedWith(now, put) });
    await this.change(id, pinned, { writes: [{ collection: "messages", put, ifVersion: version }] });
    return put;
  }

  activeRunId(id: string): string | null {
    return this.parts.runs.activeIn(id)?.id ?? null;
  }

  /** Those of the ids that a stored call has, answered or not. */
  async takenCallIds(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { messages, approvals, calls } = this.parts.stores;
    const [toolCallId, limit] = [{ in: ids }, 1000];
    const found = await Promise.all([
      messages.find({ toolCallId }, { limit }),
      approvals.find({ toolCallId }, { limit }),
    ]);
    const started = await calls.find({ id: { in: ids } });
    return [...found.flat().map((one) => one.toolCallId ?? ""), ...started.map(({ id }) => id)];
  }

  async workingDirectoryOf(conversation: Conversation): Promise<string> {
    const { id, title, workingDirectory, workspace } = conversation;
    const scope = scopeOf(conversation);
    const made = (name: string, of: string): string =>
      path.join(workspaceBase(this.parts), workspaceName(name, of));
    if (workingDirectory !== null) return workingDirectory;
    if (scope !== id) {
      const shared = await this.parts.topics?.workspaceOf(scope, (topic) => made(topic.name, topic.id));
      if (shared !== undefined) return shared;
    }
    const folder = workspace ?? made(title, id);
    if (workspace === null) await this.#fixWorkspace(id, folder);
    return folder;
  }

  async #fixWorkspace(id: string, workspace: string): Promise<void> {
    if (this.isHeld(id)) this.set(id, { workspace });
    else if ((await this.find(id)) !== undefined) await this.change(id, (now) => ({ ...now, workspace }));
  }

  checkWorkingDirectory(folder: string, caller: Caller): Promise<void> {
    return checkWorkingDirectory(this.parts, folder, caller);
  }

  async #checkDirectory(folder: string | null | undefined, caller: Caller): Promise<void> {
    if (folder !== undefined && folder !== null) await this.checkWorkingDirectory(folder, caller);
  }

  async locate(request: RunRequest): ReturnType<ConversationKeeper["locate"]> {
    if (request.conversationId !== undefined) return { id: idOf(request.conversationId) };
    const mayContinue = request.kind !== "subagent" && request.newConversation !== true;
    const found = mayContinue ? await this.#tips.find(request) : undefined;
    if (found === undefined) return { id: newId.uuid() };
    return { id: found.conversationId, branch: found.branch };
  }

  async receive(run: AskedRun, id: string, contextWindow: number): ReturnType<ConversationKeeper["receive"]> {
    const { request } = run;
    await this.#checkDirectory(request.workingDirectory, request.caller);
    await this.#holdFor(request, id);
    if (run.branch !== undefined) await this.switchTo(id, run.branch);
    const conversation = this.held(id);
    const { messages, below } = await this.place(run, conversation);
    const branched = below === undefined ? [] : [await this.branchBelow(id, below)];
    const left = conversation.messageCount - this.held(id).messageCount;
    await this.openWindow(id, contextWindow);
    const tips = request.conversationId === undefined ? [this.#tips.write(this.held(id), request)] : [];
    const writes = [...branched, ...this.append(id, messages), ...tips];
    return { conversation, writes, ...(left > 0 && { left: { messages: left, below: below?.id ?? null } }) };
  }

  /** The conversation that a request continues, or a new one that is not stored yet. */
  #holdFor(request: RunRequest, id: string): Promise<Conversation> {
    return this.hold(id, request.topic, (found, topic) => {
      const fields = requestedFields(request, topic);
      if (found !== undefined) return changed(found, fields);
      const hidden = request.kind === "subagent";
      const own = { ...fields, ...defined({ title: request.title }), hidden };
      return this.draft(id, aliasOf(request.conversationId), own);
    });
  }

  async answerCalls(
    ...[of, calls]: Parameters<ConversationKeeper["answerCalls"]>
  ): Promise<readonly Write[]> {
    const answers = calls.map(({ id, doubtful }) =>
      storedMessage(doubtful ? doubtfulAnswer(id) : cancelledAnswer(id), of.id),
    );
    const conversation = await this.open(of.conversationId);
    const writes = conversation === undefined ? [] : this.append(of.conversationId, answers);
    this.release(of.conversationId);
    return writes;
  }

  setTitleFromMarker(run: ActiveRun, marker: string): Promise<void> {
    return setTitleFromMarker(this.parts, run, marker);
  }

  setTitleAtEnd(run: ActiveRun): Promise<void> {
    return setTitleAtEnd(this.parts, run);
  }
}
