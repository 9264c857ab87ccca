import { rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  newId,
  type ActiveRun,
  type Caller,
  type ChatMessage,
  type CompletionReason,
  type Conversation,
  type ConversationFields,
  type ConversationFilter,
  type ConversationKeeper,
  type Message,
  type Page,
  type RunRequest,
  type Write,
} from "@pergola/sdk";
import { blankConversation as blank } from "./blank-conversation.ts";
import { aliasOf, idOf, scopeOf, workspaceName } from "./conversation-ids.ts";
import { HeldConversations, notFound } from "./held-conversations.ts";
import { conversationFor, mergeRequest } from "./merge-request.ts";
import { cancelledAnswer, doubtfulAnswer, storedMessage, toChat } from "./message-forms.ts";
import { entitle, entitleAtEnd, freeTitle } from "./titles.ts";
import { readWindow, usable } from "./window.ts";
import { checkWorkingDirectory, workspaceBase } from "./working-directory.ts";

/** Conversations and their messages: made, listed, changed, shown to models, removed. */
export class Conversations extends HeldConversations implements ConversationKeeper {
  readonly idOf = idOf;
  readonly scopeOf = scopeOf;

  async get(idOrAlias: string): Promise<Conversation> {
    const found = await this.find(idOf(idOrAlias));
    if (found === undefined) throw notFound(idOrAlias);
    return found;
  }

  async list({ limit, offset = 0, q, folderId, topicId, includeHidden = false }: ConversationFilter): Promise<Page<Conversation>> {
    const filter = {
      ...(folderId === undefined ? {} : { folderId }),
      ...(topicId === undefined ? {} : { topicId }),
      ...(includeHidden ? {} : { hidden: false }),
    };
    const { conversations } = this.parts.stores;
    if (q === undefined) {
      const [items, count] = await Promise.all([
        conversations.find(filter, { order: "-updated", offset, limit: limit ?? 1_000_000 }),
        folderId === undefined && topicId === undefined && !includeHidden ? this.countVisible() : conversations.count(filter),
      ]);
      return { items: items.map((item) => this.newest(item)), count };
    }
    const wanted = q.toLowerCase();
    const all = (await conversations.find(filter, { order: "-updated", limit: 1_000_000 })).filter(({ title }) =>
      title.toLowerCase().includes(wanted),
    );
    return { items: all.slice(offset, limit === undefined ? undefined : offset + limit), count: all.length };
  }

  /** A conversation that is not stored yet. */
  async draft(id: string, alias: string | null, fields: ConversationFields): Promise<Conversation> {
    const now = this.parts.timestamp();
    const title = await freeTitle(this.parts, fields.title ?? blank.title);
    const titleSetBy = fields.title === undefined ? "default" : "user";
    return { ...blank, ...fields, title, titleSetBy, id, alias, created: now, updated: now };
  }

  async create(fields: ConversationFields & { readonly id?: string }, caller: Caller): Promise<Conversation> {
    const { id, ...rest } = fields;
    await this.#checkDirectory(rest.workingDirectory, caller);
    const made = await this.draft(id === undefined ? newId.uuid() : idOf(id), aliasOf(id), rest);
    this.recount();
    await this.parts.stores.commit([{ collection: "conversations", put: made, ifVersion: 0 }]).catch((cause: unknown) => {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      throw new AppError({ code: "id_taken", message: `A conversation "${id ?? ""}" exists already.`, cause });
    });
    return made;
  }

  async update(idOrAlias: string, changes: ConversationFields, caller: Caller): Promise<Conversation> {
    await this.#checkDirectory(changes.workingDirectory, caller);
    const titled = changes.title === undefined ? {} : { titleSetBy: "user" as const };
    return this.change(idOf(idOrAlias), (now) => ({ ...now, ...changes, ...titled, settings: { ...now.settings, ...changes.settings } }));
  }

  async delete(idOrAlias: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    const { id } = await this.get(idOrAlias);
    const release = await this.parts.runs.close(id);
    const conversation = await this.get(id);
    const own = ["messages", "calls", "approvals", "grants", "results"].map((collection): Write => ({
      collection,
      deleteWhere: { conversationId: id },
    }));
    await this.parts.approvals.cancelAll({ conversationId: id });
    this.recount();
    const forgotten = this.parts.memory?.forgetting(id) ?? [];
    const unchanged = (await this.parts.changes?.forgetting(id)) ?? [];
    await this.parts.stores.commit([...own, ...forgotten, ...unchanged, { collection: "conversations", delete: id }]).finally(release);
    void this.parts.hooks.conversationEnded(id);
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
    const found = await this.parts.stores.messages.find(
      { conversationId: idOf(idOrAlias), seq },
      { order: newest ? "-seq" : "seq", limit },
    );
    return newest ? found.toReversed() : found;
  }

  activeRunId(id: string): string | null {
    return this.parts.runs.activeIn(id)?.id ?? null;
  }

  /** Those of the ids that a stored call has, answered or not. */
  async takenCallIds(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { messages, approvals, calls } = this.parts.stores;
    const [toolCallId, limit] = [{ in: ids }, 1000];
    const found = await Promise.all([messages.find({ toolCallId }, { limit }), approvals.find({ toolCallId }, { limit })]);
    const started = await calls.find({ id: { in: ids } });
    return [...found.flat().map((one) => one.toolCallId ?? ""), ...started.map(({ id }) => id)];
  }

  async workingDirectoryOf(conversation: Conversation): Promise<string> {
    const { id, workingDirectory, workspace } = conversation;
    const folder = workingDirectory ?? workspace ?? path.join(workspaceBase(this.parts), workspaceName(conversation));
    if (workingDirectory === null && workspace === null) await this.#fixWorkspace(id, folder);
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

  async receive(request: RunRequest, id: string, contextWindow: number): ReturnType<ConversationKeeper["receive"]> {
    const { conversation, isNew } = await conversationFor(this, request, id);
    const { superseded, messages, history, turns } = await mergeRequest(this.parts, request, conversation, isNew, contextWindow);
    this.set(id, { messageCount: turns });
    return { conversation, history, writes: [...superseded, ...this.append(id, messages)] };
  }

  async history(id: string, contextWindow: number): Promise<readonly ChatMessage[]> {
    const turns = this.parts.preferences.get<number>("conversations.max_history");
    return toChat(await readWindow(this.parts, id, usable(contextWindow), turns));
  }

  async answerCalls(...[of, calls]: Parameters<ConversationKeeper["answerCalls"]>): Promise<readonly Write[]> {
    const answers = calls.map(({ id, doubtful }) => storedMessage(doubtful ? doubtfulAnswer(id) : cancelledAnswer(id), of.id));
    const conversation = await this.open(of.conversationId);
    const writes = conversation === undefined ? [] : this.append(of.conversationId, answers);
    this.release(of.conversationId);
    return writes;
  }

  entitle(run: ActiveRun, marker: string): Promise<void> {
    return entitle(this.parts, run, marker);
  }

  entitleAtEnd(run: ActiveRun, reason: CompletionReason): Promise<void> {
    return entitleAtEnd(this.parts, run, reason);
  }
}
