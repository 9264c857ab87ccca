import {
  AppError,
  mergeHistory,
  newId,
  textOf,
  type ChatMessage,
  type Conversation,
  type ConversationFields,
  type LiveRun,
  type Message,
  type Page,
  type RunRecord,
  type RunRequest,
  type RunService,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { Claims } from "./claims.ts";
import { aliasOf, idOf, scopeOf } from "./conversations.ts";
import type { RunStart } from "./flow.ts";
import { ActiveRun } from "./live-run.ts";
import { runWorkflow } from "./run-workflow.ts";
import type { StoredRun } from "./stores.ts";
import { readWindow, toChat, toTurn, usable } from "./window.ts";

const unfinished = ["queued", "running", "waiting"] as const;
const keptEndedRuns = 64;

export const publicRun = ({
  request: _request,
  cancelRequested: _cancel,
  version: _version,
  ...run
}: StoredRun & { readonly version?: number }): RunRecord => run;

/** Starts, finds, cancels and resumes runs; settles after a start what the last stop left behind. */
export class Runs implements RunService {
  readonly #parts: Parts;
  readonly #active = new Map<string, ActiveRun>();
  /** Ended runs whose events can still be replayed, oldest first. */
  readonly #ended = new Map<string, ActiveRun>();
  /** Interrupted runs by conversation. */
  readonly #interrupted = new Map<string, string>();
  readonly #claims: Claims;
  #stopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#claims = new Claims(parts);
  }

  active(id: string): ActiveRun | undefined {
    return this.#active.get(id);
  }

  activeIn(conversationId: string): ActiveRun | undefined {
    return this.#claims.runIn(conversationId);
  }

  live(id: string): LiveRun | undefined {
    return this.#active.get(id) ?? this.#ended.get(id);
  }

  async start(request: RunRequest): Promise<LiveRun> {
    if (this.#stopping) throw new AppError({ code: "shutting_down", message: "The service is stopping.", retryAfter: 5 });
    const model = await this.#parts.models.resolve(request.model, AbortSignal.timeout(30_000));
    const id = request.conversationId === undefined ? newId.uuid() : idOf(request.conversationId);
    const claim = await this.#claims.take(id, this.#parts.preferences.get<number>("runs.queue_seconds"));
    try {
      await this.#endInterrupted(id);
      const { conversation, isNew } = await this.#conversationFor(request, id);
      const merged = await this.#merge(request, conversation, isNew);
      this.#parts.conversations.hold(conversation);
      const writes = [...merged.superseded, ...this.#parts.conversations.append(id, merged.messages)];
      const record = this.#record(request, id, model.modelId, model.providerId);
      const run = new ActiveRun(record, model, this.#parts.stores.commit, writes);
      claim.run = run;
      const workingDirectory = await this.#parts.conversations.workingDirectoryOf(conversation);
      this.#launch(
        run,
        { scope: request.memoryCollectionId ?? scopeOf(conversation), workingDirectory, history: merged.history, open: [] },
        claim.release,
      );
      return run;
    } catch (error) {
      this.#parts.conversations.release(id);
      claim.release();
      throw error;
    }
  }

  #record(request: RunRequest, conversationId: string, model: string, provider: string): StoredRun {
    const counts = {
      iterations: 0,
      toolCallCount: 0,
      toolsUsed: [],
      hadErrors: false,
      error: null,
      usage: { promptTokens: 0, completionTokens: 0 },
      pendingToolCallIds: [],
    };
    const times = { createdAt: this.#parts.timestamp(), startedAt: null, endedAt: null };
    const maxIterations = request.maxIterations ?? this.#parts.preferences.get<number>("workflow.max_iterations");
    const facts = {
      id: newId.run(),
      conversationId,
      parentRunId: request.parentRunId ?? null,
      kind: request.kind,
      status: "queued",
      completionReason: null,
    } as const;
    return { ...facts, model, provider, maxIterations, ...counts, ...times, request };
  }

  async #conversationFor(request: RunRequest, id: string): Promise<{ readonly conversation: Conversation; readonly isNew: boolean }> {
    const { conversations } = this.#parts;
    const { workingDirectory, title, sharedMemory } = request;
    if (workingDirectory !== undefined) await this.#parts.checkWorkingDirectory(workingDirectory, request.caller);
    const shared = sharedMemory === undefined ? {} : { settings: { useSharedData: sharedMemory } };
    const fields: ConversationFields = workingDirectory === undefined ? {} : { workingDirectory };
    const found = request.conversationId === undefined ? undefined : await conversations.find(id);
    if (found !== undefined)
      return { conversation: { ...found, ...fields, settings: { ...found.settings, ...shared.settings } }, isNew: false };
    const titled = title === undefined ? {} : { title: await conversations.freeTitle(title) };
    return {
      conversation: conversations.draft(id, aliasOf(request.conversationId), { ...fields, ...titled, ...shared, hidden: request.kind === "subagent" }),
      isNew: true,
    };
  }

  async #merge(request: RunRequest, conversation: Conversation, isNew: boolean) {
    const sent = request.messages.filter(({ role }) => role !== "system");
    const { conversations, stores, preferences } = this.#parts;
    const visible = { conversationId: conversation.id, visible: true };
    const limit = sent.length + 20;
    const last = isNew ? [] : (await stores.messages.find(visible, { order: "-seq", limit })).toReversed();
    const first = last.length < limit ? last : sent.length === 1 ? [] : await stores.messages.find(visible, { order: "seq", limit });
    const merge = mergeHistory(sent, first.map(toTurn), last.map(toTurn));
    const budget = usable((await this.#parts.models.resolve(request.model, AbortSignal.timeout(30_000))).contextWindow);
    const kept = isNew ? [] : await readWindow(this.#parts, conversation.id, budget, preferences.get<number>("conversations.max_history"));
    const upTo = merge.keepUpTo ?? Number.MAX_SAFE_INTEGER;
    const gone = merge.keepUpTo === undefined ? [] : await conversations.messages(conversation.id, { after: upTo, limit: 100_000 });
    const hide = (message: Message): Message => ({ ...message, superseded: true, visible: false });
    const superseded = gone.map((message): Write => ({ collection: "messages", put: hide(message) }));
    const abandoned = merge.abandonedCalls.map((toolCallId): ChatMessage => ({
      role: "tool",
      toolCallId,
      content: JSON.stringify(cancelledResult),
    }));
    const append = [...abandoned, ...merge.append];
    const history = [...kept.filter(({ seq }) => seq <= upTo).map(toChat), ...append];
    return { superseded, history, messages: append.map((message) => messageOf(message)) };
  }

  #launch(run: ActiveRun, start: RunStart, release: () => void): void {
    this.#active.set(run.id, run);
    void this.#claims.slot(run.signal).then(async (free) => {
      run.store({ status: "running", startedAt: run.record.startedAt ?? this.#parts.timestamp() });
      await runWorkflow(this.#parts, run, start);
      free();
      this.#active.delete(run.id);
      if (run.interrupted) this.#interrupted.set(run.conversationId, run.id);
      this.#parts.conversations.release(run.conversationId);
      this.#keep(run);
      release();
    });
  }

  #keep(run: ActiveRun): void {
    const minutes = this.#parts.preferences.get<number>("runs.event_retention_minutes");
    const oldest = new Date(this.#parts.clock.now() - minutes * 60_000).toISOString();
    this.#ended.set(run.id, run);
    for (const [id, { record }] of this.#ended) {
      if (this.#ended.size > keptEndedRuns || (record.endedAt ?? "") < oldest) this.#ended.delete(id);
    }
  }

  async get(id: string): Promise<RunRecord> {
    const found = this.#active.get(id)?.record ?? (await this.#parts.stores.runs.get(id));
    if (found === undefined) throw new AppError({ code: "not_found", message: `There is no run "${id}".` });
    return publicRun(found);
  }

  async list({ limit = 1_000_000, offset = 0, ...filter }: Parameters<RunService["list"]>[0]): Promise<Page<RunRecord>> {
    const { runs } = this.#parts.stores;
    const wanted = { ...filter, ...(filter.conversationId === undefined ? {} : { conversationId: idOf(filter.conversationId) }) };
    const matches = (run: StoredRun): boolean =>
      Object.entries(wanted).every(([key, value]) => value === undefined || run[key as keyof StoredRun] === value);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const [found, count] = await Promise.all([runs.find(given, { order: "-createdAt", limit, offset }), runs.count(given)]);
    const stored = new Set(found.map(({ id }) => id));
    const unsaved =
      offset > 0 ? [] : [...this.#active.values()].filter((run) => !run.admitted && matches(run.record)).map(({ record }) => record);
    return {
      items: [...unsaved.filter(({ id }) => !stored.has(id)), ...found].slice(0, limit).map(publicRun),
      count: count + unsaved.length,
    };
  }

  async cancel(id: string): Promise<RunRecord> {
    const run = this.#active.get(id);
    if (run === undefined) return this.#cancelStored(id);
    run.note({ cancelRequested: true });
    if (run.admitted) run.store({});
    await run.stored();
    run.cancel();
    return publicRun(run.record);
  }

  async #cancelStored(id: string): Promise<RunRecord> {
    const { status, conversationId } = await this.get(id);
    if (status !== "interrupted") throw new AppError({ code: "run_ended", message: `The run "${id}" has ended.` });
    this.#interrupted.set(conversationId, id);
    await this.#endInterrupted(conversationId);
    return this.get(id);
  }

  async resume(id: string): Promise<RunRecord> {
    const stored = await this.#parts.stores.runs.get(id);
    if (stored === undefined) throw new AppError({ code: "not_found", message: `There is no run "${id}".` });
    if (stored.status !== "interrupted")
      throw new AppError({ code: "not_resumable", message: `Only an interrupted run can be resumed; this one is ${stored.status}.` });
    const { version: _, ...record } = stored;
    const claim = await this.#claims.take(record.conversationId, 0);
    this.#interrupted.delete(record.conversationId);
    try {
      const model = await this.#parts.models.resolve(record.request.model, AbortSignal.timeout(30_000));
      const conversation = await this.#parts.conversations.get(record.conversationId);
      this.#parts.conversations.hold(conversation);
      const run = new ActiveRun({ ...record, status: "queued" }, model, this.#parts.stores.commit, undefined);
      claim.run = run;
      const kept = await readWindow(this.#parts, conversation.id, usable(model.contextWindow), 0);
      const workingDirectory = await this.#parts.conversations.workingDirectoryOf(conversation);
      this.#launch(
        run,
        { scope: scopeOf(conversation), workingDirectory, history: kept.map(toChat), open: openCalls(kept, id) },
        claim.release,
      );
      return publicRun(run.record);
    } catch (error) {
      this.#parts.conversations.release(record.conversationId);
      this.#interrupted.set(record.conversationId, id);
      claim.release();
      throw error;
    }
  }

  /** A question of this run was answered: a run that is not at work is taken up again, whatever the policy. */
  async goOn(id: string): Promise<void> {
    if (this.#active.has(id) || this.#stopping) return;
    const run = await this.#parts.stores.runs.get(id);
    if (run?.status === "interrupted") await this.resume(id);
  }

  /** A new message, a cancel or a deletion ends what a stop had interrupted; its open calls are answered as cancelled. */
  async #endInterrupted(conversationId: string): Promise<void> {
    const id = this.#interrupted.get(conversationId);
    const stored = id === undefined ? undefined : await this.#parts.stores.runs.get(id);
    this.#interrupted.delete(conversationId);
    if (id === undefined || stored?.status !== "interrupted") return;
    const { version: _, ...record } = stored;
    await this.#parts.approvals.cancelAll({ runId: id });
    const kept = await readWindow(this.#parts, conversationId, 8000, 0);
    const open = openCalls(kept, id).map(({ id: toolCallId }) =>
      messageOf({ role: "tool", toolCallId, content: JSON.stringify(cancelledResult) }, id),
    );
    const conversation = await this.#parts.conversations.find(conversationId);
    if (conversation !== undefined) this.#parts.conversations.hold(conversation);
    const messages = conversation === undefined ? [] : this.#parts.conversations.append(conversationId, open);
    this.#parts.conversations.release(conversationId);
    const ended: StoredRun = {
      ...record,
      status: "ended",
      completionReason: "cancelled",
      endedAt: this.#parts.timestamp(),
      pendingToolCallIds: [],
    };
    await this.#parts.stores.commit([...messages, { collection: "runs", put: ended }]);
  }

  /** Ends what a conversation has at work, before it is deleted. */
  async endAll(conversationId: string): Promise<void> {
    const run = this.activeIn(conversationId);
    run?.cancel();
    await run?.done;
    await this.#endInterrupted(conversationId);
  }

  /** After a start: runs that were at work are interrupted, and go on, wait or end by the preference `runs.resume`. */
  async recover(): Promise<void> {
    const { runs } = this.#parts.stores;
    const cut = await runs.find({ status: { in: unfinished } }, { limit: 100_000 });
    const policy = this.#parts.preferences.get<string>("runs.resume");
    const settled = cut.map(({ version: _, ...run }): StoredRun => {
      if (run.cancelRequested === true) return { ...run, status: "ended", completionReason: "cancelled", endedAt: this.#parts.timestamp() };
      if (policy !== "never") return { ...run, status: "interrupted" };
      const error = { message: "The service stopped during the run.", type: "server_error", code: "shutting_down" };
      return { ...run, status: "ended", completionReason: "error", error, hadErrors: true, endedAt: this.#parts.timestamp() };
    });
    if (settled.length > 0) await this.#parts.stores.commit(settled.map((put) => ({ collection: "runs", put })));
    const interrupted = await runs.find({ status: "interrupted" }, { order: "createdAt", limit: 100_000 });
    for (const { id, conversationId } of interrupted) this.#interrupted.set(conversationId, id);
    if (policy === "auto")
      for (const { id } of interrupted)
        await this.resume(id).catch((error: unknown) => this.#parts.log.warn({ error, run: id }, "the run could not be resumed"));
  }

  /** Interrupts everything; resolves when all of it is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const active = [...this.#active.values()];
    for (const run of active) run.interrupt();
    await Promise.all(active.map(({ done }) => done));
  }
}

const cancelledResult = { success: false, error: "The call was cancelled.", message: "", error_code: "cancelled" };

function messageOf(message: ChatMessage, runId: string | null = null): Partial<Message> {
  const { role, content, toolCalls, toolCallId, name, extra } = message;
  return {
    role,
    type: role === "user" ? "user" : role === "tool" ? "toolExecution" : "assistant",
    content: content === null ? null : textOf(message),
    runId,
    visible: runId === null,
    ...(Array.isArray(content) ? { contentParts: content as never } : {}),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(name === undefined ? {} : { toolName: name }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** The calls of a run's last answer that have no result yet. */
function openCalls(messages: readonly Message[], runId: string) {
  const answered = new Set(messages.map(({ toolCallId }) => toolCallId));
  const asked = messages.findLast((message) => message.runId === runId && message.toolCalls !== undefined);
  return (asked?.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}
