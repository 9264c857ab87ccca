import { rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  defined,
  newId,
  type Caller,
  type Conversation,
  type ConversationFields,
  type Filter,
  type Message,
  type Page,
  type RunRequest,
  type Write,
} from "@pergola/sdk";
import {
  placeOf,
  type MessageChanges,
  type ActiveRun,
  type ConversationFilter,
  type ConversationKeeper,
  type Parts,
  type Topic,
} from "@pergola/sdk/host";
import { newConversation, staysHidden } from "./new-conversation.ts";
import { busy } from "./change-elsewhere.ts";
import { checkSwitches, usualDirectory } from "./caller-bounds.ts";
import { idOf, scopeOf, workspaceName } from "./conversation-ids.ts";
import { notFound } from "./active-conversations.ts";
import { BranchedConversations } from "./branched-conversations.ts";
import { findByTitle } from "./find-by-title.ts";
import { forgettingTips, Tips } from "./history/tips.ts";
import { requestedFields, type AskedRun } from "./merge-request.ts";
import { closingAnswer, storedMessage } from "./message-forms.ts";
import { requestedTexts, withTextIds } from "./named-texts.ts";
import { pinnedWith } from "./pinned.ts";
import { changed, isAttachment, whileThere, withStoredIds } from "./places.ts";
import { Titles } from "./titles.ts";
import type { Threads } from "./window/threads.ts";
import { checkWorkingDirectory, workspaceBase } from "./working-directory.ts";

/** More than any page holds. */
const everything = 1_000_000;

/** The collections whose records belong to a conversation. */
const ownCollections = ["messages", "calls", "approvals", "grants", "results", "run_events", "run_steps"];

/** Conversations and their messages: made, listed, changed, shown to models, removed. */
export class Conversations extends BranchedConversations implements ConversationKeeper {
  readonly #tips: Tips;
  readonly #titles: Titles;
  readonly idOf = idOf;
  readonly scopeOf = scopeOf;

  constructor(parts: Parts, threads?: Threads) {
    super(parts, threads);
    this.#tips = new Tips(parts);
    this.#titles = new Titles(parts);
  }

  async list({
    limit = everything,
    offset = 0,
    q,
    folderId,
    topicId,
    includeHidden = false,
  }: ConversationFilter): Promise<Page<Conversation>> {
    const filter: Filter<Conversation> = {
      ...defined({ folderId: folderId?.toLowerCase(), topicId: topicId?.toLowerCase() }),
      ...(!includeHidden && { hidden: false }),
    };
    const { conversations } = this.parts.stores;
    const order = "-updated";
    if (q === undefined) {
      const [items, count] = await Promise.all([
        conversations.find(filter, { order, offset, limit }),
        this.count(filter),
      ]);
      return { items: items.map((item) => this.newest(item)), count };
    }
    const found = await findByTitle(conversations, filter, q);
    return { items: found.slice(offset, offset + limit), count: found.length };
  }

  async create(fields: ConversationFields & { readonly id?: string }, caller: Caller): Promise<Conversation> {
    const { id = newId.uuid(), ...settings } = fields;
    checkSwitches(settings, caller);
    const rest = withStoredIds({ ...usualDirectory(caller), ...settings });
    await this.#checkDirectory(rest.workingDirectory, caller);
    const known = await withTextIds(this.parts, rest);
    return whileThere(this.parts, known, async () => {
      const draft = newConversation(idOf(id), id, known, this.parts.timestamp());
      const made = { ...draft, title: await this.#titles.free(draft.title) };
      await this.insert(made, [], { replaces: false });
      return made;
    });
  }

  async insert(
    conversation: Conversation,
    writes: readonly Write[],
    { replaces }: { readonly replaces: boolean },
  ): Promise<void> {
    const { id, alias } = conversation;
    const put = { collection: "conversations", put: conversation };
    if (replaces) return void (await this.#replace(id, [put, ...writes]));
    this.recount();
    await this.parts.stores.commit([{ ...put, ifVersion: 0 }, ...writes]).catch((cause: unknown) => {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      throw new AppError({
        code: "id_taken",
        message: `A conversation "${alias ?? id}" exists already.`,
        cause,
      });
    });
  }

  /**
   * Ends what is at work in a conversation, forgets all that belongs to it, and commits `writes`. The
   * conversation as it was then.
   */
  async #replace(id: string, writes: readonly Write[]): Promise<Conversation | undefined> {
    const { fence, release } = await this.parts.runs.close(id);
    const before = await this.find(id);
    try {
      const { tell } = await this.parts.approvals.cancelling({ conversationId: id });
      this.recount();
      await this.parts.stores.commit([...(await this.#forgetting(id)), ...writes], { fence });
      tell();
    } finally {
      release();
    }
    await this.parts.hooks.conversationEnded(id);
    return before;
  }

  async update(idOrAlias: string, fields: ConversationFields, caller: Caller): Promise<Conversation> {
    const id = idOf(idOrAlias);
    checkSwitches(fields, caller);
    const changes = withStoredIds(fields);
    await this.#checkDirectory(changes.workingDirectory, caller);
    const known = await withTextIds(this.parts, changes, () => this.get(idOrAlias));
    const make = (now: Conversation): Conversation => {
      if (this.isActive(id) && isAttachment(now, known)) throw busy();
      const isRenamed = known.title !== undefined && known.title !== now.title;
      return { ...changed(now, known), ...(isRenamed && { titleSetBy: "user" }) };
    };
    return this.change(id, make, { around: (work) => whileThere(this.parts, known, work) });
  }

  async delete(idOrAlias: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    const { id } = await this.get(idOrAlias);
    const before = await this.#replace(id, [{ collection: "conversations", delete: id }]);
    if (before === undefined) throw notFound(idOrAlias);
    if (!deleteFiles || before.workspace === null) return;
    await rm(before.workspace, { recursive: true, force: true });
  }

  /** The writes that forget all that belongs to a conversation. */
  async #forgetting(id: string): Promise<readonly Write[]> {
    const own = ownCollections.map((collection): Write => ({
      collection,
      deleteWhere: { conversationId: id },
    }));
    const forgotten = [this.parts.memory, this.parts.todos, this.parts.archive, this.parts.search].flatMap(
      (part) => part?.deletionWrites(id) ?? [],
    );
    return [
      forgettingTips(id),
      ...own,
      ...forgotten,
      ...((await this.parts.changes?.deletionWrites(id)) ?? []),
    ];
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
  async usedCallIds(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const { messages, approvals, calls } = this.parts.stores;
    const toolCallId = { in: ids };
    const [started, ...found] = await Promise.all([
      calls.find({ id: toolCallId }),
      messages.find({ toolCallId }),
      approvals.find({ toolCallId }),
    ]);
    const callIds = found.flat().map((one) => one.toolCallId ?? "");
    return [...callIds, ...started.map(({ id }) => id)];
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
    return workspace ?? this.#fixWorkspace(id, made(title, id));
  }

  /** The first folder stays, whichever host was faster: files may be in it by now. */
  async #fixWorkspace(id: string, folder: string): Promise<string> {
    const keep = (now: Conversation): Conversation => ({ ...now, workspace: now.workspace ?? folder });
    if (this.isActive(id)) this.set(id, { workspace: folder });
    else if ((await this.find(id)) !== undefined) return (await this.change(id, keep)).workspace ?? folder;
    return folder;
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
    if (found === undefined) return { id: newId.uuid(), isNew: true };
    return { id: found.conversationId, branch: found.branch };
  }

  async openForRequest(
    run: AskedRun,
    id: string,
    contextWindow: number,
  ): ReturnType<ConversationKeeper["openForRequest"]> {
    const { request } = run;
    await this.#checkDirectory(request.workingDirectory, request.caller);
    await this.#activateFor(run, id);
    if (run.branch !== undefined) await this.switchTo(id, run.branch);
    const conversation = this.active(id);
    const { messages, below } = await this.place(run, conversation);
    const branched = below === undefined ? [] : [await this.branchBelow(id, below)];
    const left = conversation.messageCount - this.active(id).messageCount;
    await this.openWindow(id, contextWindow);
    const tips = request.conversationId === undefined ? [this.#tips.write(this.active(id), request)] : [];
    const writes = [...branched, ...this.append(id, messages), ...tips];
    return { conversation, writes, ...(left > 0 && { left: { messages: left, below: below?.id ?? null } }) };
  }

  /** The conversation that a request continues, or a new one that is not stored yet. */
  async #activateFor(run: AskedRun, id: string): Promise<Conversation> {
    const { request } = run;
    const texts = await requestedTexts(this.parts, request);
    const make = async (found: Conversation | undefined, topic: Topic | undefined): Promise<Conversation> => {
      const fields = { ...placeOf(this.parts, found), ...requestedFields(run, topic, texts) };
      const hidden = staysHidden(found, request);
      if (found !== undefined) return changed(found, { ...fields, hidden });
      const own = {
        ...usualDirectory(request.caller),
        ...fields,
        ...defined({ title: request.title }),
        hidden,
      };
      const draft = newConversation(id, request.conversationId, own, this.parts.timestamp());
      // Hardly any keeps the title that nobody gave: it is numbered when its first run ends.
      if (request.title !== undefined) return { ...draft, title: await this.#titles.free(draft.title) };
      this.#titles.foresee(request, id);
      return draft;
    };
    return this.activate(id, make, defined({ topicName: request.topic, isNew: run.isNew }));
  }

  readonly answerCalls: ConversationKeeper["answerCalls"] = async (of, calls) => {
    if ((await this.open(of.conversationId)) === undefined) return [];
    const answers = calls.map((call) => storedMessage(closingAnswer(call), of.id));
    const writes = this.append(of.conversationId, answers);
    this.release(of.conversationId);
    return writes;
  };

  setTitleFromMarker(run: ActiveRun, marker: string): Promise<void> {
    return this.#titles.setFromMarker(run, marker);
  }

  setTitleAtEnd(run: ActiveRun, isStopped: boolean): Promise<void> {
    return this.#titles.setAtEnd(run, isStopped);
  }
}
