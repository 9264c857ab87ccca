import {
  AppError,
  type Conversation,
  type JsonObject,
  type LiveRun,
  type ModelEntry,
  type RunLog,
  type RunRecord,
  type RunRequest,
  type Stored,
} from "@pergola/sdk";
import type { ActiveRun, Parts, RunKeeper, RunStart, StoredRun } from "@pergola/sdk/host";
import { Agents } from "./agents.ts";
import { readCassette } from "./cassette/read-cassette.ts";
import { withTopic } from "./with-topic.ts";
import { directoryFor, startForCaller } from "./caller-bounds.ts";
import { Claims, type Claim } from "./claims.ts";
import { recoverRuns } from "./recover-runs.ts";
import { forgetOld } from "./forget-old.ts";
import { EndedRuns } from "./ended-runs.ts";
import { EventStore } from "./event-store.ts";
import { countSteps } from "./explain-run.ts";
import { pastRun } from "./past-run.ts";
import { RunInProgress } from "./run-in-progress.ts";
import type { RunOptions } from "./run-options.ts";
import { RunReader } from "./run-reader.ts";
import { StepLog } from "./step-log.ts";
import { Turnstile } from "./turnstile.ts";
import { annotateStored, endStored, leftBy, newRun, notResumable, publicRun } from "./stored-runs.ts";

/** Starts, finds, cancels and resumes runs; settles after a start what the last stop left behind. */
export class Runs implements RunKeeper {
  readonly #parts: Parts;
  readonly #active = new Map<string, RunInProgress>();
  readonly #ended = new EndedRuns();
  /** Interrupted runs by conversation. */
  readonly #interrupted = new Map<string, string>();
  readonly #claims: Claims;
  readonly #turnstile = new Turnstile();
  readonly #agents: Agents;
  readonly #events: EventStore;
  readonly #reader: RunReader;
  #stopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#claims = new Claims(parts);
    this.#agents = new Agents(parts, this.#active);
    this.#events = new EventStore(parts);
    this.#reader = new RunReader(parts, this.#active);
  }

  active(id: string): RunInProgress | undefined {
    return this.#active.get(id);
  }

  activeOf(callerId: string): readonly ActiveRun[] {
    return [...this.#active.values()].filter(({ request }) => request.caller.id === callerId);
  }

  activeIn(conversationId: string): ActiveRun | undefined {
    return this.#claims.runIn(conversationId);
  }

  live(id: string): LiveRun | undefined {
    return this.#active.get(id) ?? this.#ended.get(id);
  }

  async log(id: string): Promise<RunLog | undefined> {
    const live = this.live(id);
    if (live !== undefined && (live.record.endedAt === null || live.record.endedAt >= this.#events.oldest))
      return live;
    const record = await this.get(id);
    const events = await this.#events.read(id);
    return events.length === 0 ? undefined : pastRun(record, events);
  }

  /** Whether a run at work has given this id to a call. */
  hasCall(id: string): boolean {
    return [...this.#active.values()].some(({ callIds }) => callIds.has(id));
  }

  usesMemoryOf(topicId: string): boolean {
    return [...this.#active.values()].some(({ request }) => request.memoryCollectionId === topicId);
  }

  async start(request: RunRequest): Promise<LiveRun> {
    await this.#turnstile.pass();
    return startForCaller(this.#parts, request, () => this.#begin(request));
  }

  async #begin(request: RunRequest): Promise<LiveRun> {
    const steps = new StepLog(this.#parts);
    const model = await this.#resolve(request, steps);
    const { id, ...located } = await this.#parts.conversations.locate(request);
    const patience = this.#parts.preferences.get<number>("runs.queue_seconds");
    const claim = await this.#claims.take(id, request.parentMessageId === undefined ? patience : 0);
    try {
      await this.#endInterrupted(id);
      const trace = await this.#agents.traceFor(request);
      const record = newRun(this.#parts, { ...request, trace }, id, model);
      const { conversation, writes, left } = await this.#parts.conversations.openForRequest(
        { id: record.id, request, model: model.modelId, ...located },
        id,
        model.contextWindow,
      );
      const run = new RunInProgress({ ...this.#options(record, model, steps), admission: writes, left });
      await this.#launch(claim, run, conversation, { open: [], answeredText: "", isNew: located.isNew });
      return run;
    } catch (error) {
      this.#parts.conversations.release(id);
      claim.release();
      throw error;
    }
  }

  #resolve({ model }: RunRequest, steps: StepLog): Promise<ModelEntry> {
    return this.#parts.models.resolve(model, AbortSignal.timeout(30_000), steps.watch("model"));
  }

  #options(record: StoredRun, model: ModelEntry, steps: StepLog): RunOptions {
    const { commit } = this.#parts.stores;
    const parent = this.#agents.parentOf(record.request);
    return { record, model, commit, parent, restored: [], keepEvents: this.#events.retention > 0, steps };
  }

  async #launch(
    claim: Claim,
    run: RunInProgress,
    conversation: Conversation,
    left: Omit<RunStart, "scope" | "workingDirectory">,
  ): Promise<void> {
    const scope = run.request.memoryCollectionId ?? this.#parts.conversations.scopeOf(conversation);
    const workingDirectory = await directoryFor(this.#parts, run.request, conversation);
    await withTopic(this.#parts, run.request.memoryCollectionId, async () => {
      if (this.#stopping)
        throw new AppError({ code: "shutting_down", message: "The service is stopping.", retryAfter: 5 });
      this.#active.set(run.id, run);
    });
    claim.run = run;
    if (claim.isUnwanted || run.parent?.signal.aborted === true) run.cancel();
    run.signal.addEventListener("abort", () => this.#agents.stopAgentsOf(run), { once: true });
    void this.#work(run, { ...left, scope, workingDirectory }).then(claim.release);
  }

  /** A sub-agent needs no place of its own: the run above has one, and may wait for it. */
  async #work(run: RunInProgress, start: RunStart): Promise<void> {
    let free: (() => void) | undefined;
    if (run.request.parent === undefined) free = await this.#claims.slot(run.signal);
    run.store({ status: "running", startedAt: run.record.startedAt ?? this.#parts.timestamp() });
    await this.#parts.runWorkflow(run, start);
    free?.();
    this.#active.delete(run.id);
    this.#agents.limitAgentsOf(run);
    if (run.record.status === "interrupted" || run.failure !== undefined)
      this.#interrupted.set(run.conversationId, run.id);
    this.#parts.conversations.release(run.conversationId);
    this.#retain(run);
  }

  #retain(run: RunInProgress): void {
    this.#ended.add(run, this.#events.oldest);
    void forgetOld(this.#parts, this.#events);
  }

  get: RunKeeper["get"] = (id) => this.#reader.get(id);
  list: RunKeeper["list"] = (filter) => this.#reader.list(filter);
  usage: RunKeeper["usage"] = (query) => this.#reader.usage(query);
  explain: RunKeeper["explain"] = (id) => this.#reader.explain(id);
  cassette: RunKeeper["cassette"] = (id) => readCassette(this.#parts, id);

  async cancel(id: string): Promise<RunRecord> {
    const run = this.#active.get(id);
    if (run === undefined) return this.#cancelStored(id);
    run.updateRecord({ cancelRequested: true });
    if (run.isAdmitted) run.store({});
    await run.flush();
    run.cancel();
    return publicRun(run.record);
  }

  async annotate(id: string, added: JsonObject): Promise<RunRecord> {
    const run = this.#active.get(id);
    const annotations = { ...(run?.record ?? (await this.get(id))).annotations, ...added };
    if (run === undefined) return annotateStored(this.#parts, id, annotations);
    run.updateRecord({ annotations });
    if (run.isAdmitted) run.store({});
    await run.flush();
    return publicRun(run.record);
  }

  async #cancelStored(id: string): Promise<RunRecord> {
    const ended = new AppError({ code: "run_ended", message: `The run "${id}" has ended.` });
    const { status, conversationId } = await this.get(id);
    if (status !== "interrupted") throw ended;
    const claim = await this.#claims.take(conversationId, 5);
    try {
      if ((await this.get(id)).status !== "interrupted") throw ended;
      await this.#endInterrupted(conversationId);
    } finally {
      claim.release();
    }
    return this.get(id);
  }

  async resume(id: string): Promise<RunRecord> {
    const { status, conversationId } = await this.get(id);
    if (status !== "interrupted") throw notResumable(status);
    const { conversations, stores } = this.#parts;
    const claim = await this.#claims.take(conversationId, 0);
    try {
      const { version: _, ...record } = (await stores.runs.get(id)) as Stored<StoredRun>;
      if (record.status === "ended") throw notResumable("ended");
      const steps = new StepLog(this.#parts, await countSteps(this.#parts, record));
      const model = await this.#resolve(record.request, steps);
      const conversation = await conversations.open(conversationId);
      if (conversation === undefined)
        throw new AppError({ code: "not_found", message: `The conversation of the run "${id}" is gone.` });
      await conversations.openWindow(conversationId, model.contextWindow);
      const { streamedText, ...left } = await leftBy(this.#parts, id);
      const before = { restored: await this.#events.read(id), streamedText };
      const run = new RunInProgress({
        ...this.#options({ ...record, status: "queued" }, model, steps),
        ...before,
      });
      for (const agent of await this.#agents.interruptedOf(id)) await this.#resumeIfPossible(agent.id);
      await this.#launch(claim, run, conversation, left);
      this.#interrupted.delete(conversationId);
      return publicRun(run.record);
    } catch (error) {
      conversations.release(conversationId);
      claim.release();
      throw error;
    }
  }

  /**
   * A question of this run was answered: a run that is not at work is taken up again, whatever the policy,
   * and those above it with it.
   */
  async resumeAfterAnswer(id: string): Promise<void> {
    if (this.#active.has(id) || this.#stopping) return;
    const { runs } = this.#parts.stores;
    const above = await runs.get((await runs.get(id))?.parentRunId ?? "");
    const waits = above !== undefined && above.status !== "ended" && !this.#active.has(above.id);
    if (waits) return this.resumeAfterAnswer(above.id);
    await this.#resumeIfPossible(id);
  }

  async #resumeIfPossible(id: string): Promise<void> {
    await this.resume(id).catch((error: unknown) =>
      this.#parts.log.warn({ error, run: id }, "the run could not be resumed"),
    );
  }

  /**
   * A new message, a cancel or a deletion ends what a stop had interrupted. Only for who has claimed the
   * conversation.
   */
  async #endInterrupted(conversationId: string): Promise<void> {
    const id = this.#interrupted.get(conversationId);
    if (id === undefined) return;
    const stored = await this.#parts.stores.runs.get(id);
    this.#interrupted.delete(conversationId);
    if (stored === undefined || stored.status === "ended") return;
    await endStored(this.#parts, stored, { completionReason: "cancelled", error: null });
    const agents = [...this.#agents.of(stored.id), ...(await this.#agents.interruptedOf(stored.id))];
    await Promise.allSettled(agents.map((agent) => this.cancel(agent.id)));
  }

  /**
   * Ends what is at work in a conversation and keeps others out until the function that it gives back is
   * called.
   */
  async close(conversationId: string): Promise<() => void> {
    const { release } = await this.#claims.seize(conversationId);
    await this.#endInterrupted(conversationId);
    return release;
  }

  async recover(): Promise<void> {
    const left = await recoverRuns(this.#parts, this.#agents);
    for (const { run } of left) this.#interrupted.set(run.conversationId, run.id);
    for (const { run, resumes } of left) if (resumes) void this.resumeAfterAnswer(run.id);
  }

  /** Interrupts everything; resolves when all of it is stored. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#agents.stop();
    const active = [...this.#active.values()];
    for (const run of active) run.interrupt();
    await Promise.all(active.map(({ done }) => done));
  }
}
