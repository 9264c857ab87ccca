import {
  AppError,
  type Conversation,
  type JsonObject,
  type LiveRun,
  type ModelEntry,
  type RunRecord,
  type RunRequest,
  type Stored,
} from "@pergola/sdk";
import { placeOf, type Parts, type RunKeeper, type RunStart, type StoredRun } from "@pergola/sdk/host";
import { Agents } from "./agents.ts";
import { readCassette } from "./cassette/read-cassette.ts";
import { resumeOnceLetGo } from "./resume-once-let-go.ts";
import { isMemoryUsed, withTopic } from "./with-topic.ts";
import { directoryFor, startWithinLimits } from "./caller-bounds.ts";
import { CallIds } from "./call-ids.ts";
import { Claims, type Claim } from "./claims.ts";
import { EventStore } from "./event-store.ts";
import { carryOut } from "./carry-out.ts";
import { InterruptedRuns, type HeldClaims } from "./interrupted-runs.ts";
import { inOrder } from "./in-order.ts";
import { OtherHosts } from "./other-hosts.ts";
import { countSteps } from "./explain-run.ts";
import { resolveModel } from "./resolve-model.ts";
import { RunInProgress } from "./run-in-progress.ts";
import type { ReadRun, RunOptions } from "./run-options.ts";
import { RunLimit } from "./run-limit.ts";
import { RunLogs } from "./run-logs.ts";
import { RunPlaces } from "./run-places.ts";
import { RunReader } from "./run-reader.ts";
import { StepLog } from "./step-log.ts";
import { Turnstile } from "./turnstile.ts";
import { annotateStored, leftBy, newRun, noteDown, notResumable, publicRun } from "./stored-runs.ts";

/** Starts, finds, cancels and resumes runs; settles after a start what the last stop left behind. */
export class Runs implements RunKeeper {
  readonly #parts: Parts;
  readonly #active = new Map<string, RunInProgress>();
  readonly #interrupted: InterruptedRuns;
  readonly #claims: Claims;
  readonly #places: RunPlaces;
  readonly #limit: RunLimit;
  readonly #turnstile = new Turnstile();
  readonly #agents: Agents;
  readonly #events: EventStore;
  readonly #reader: RunReader;
  readonly #logs: RunLogs;
  readonly #others: OtherHosts;
  readonly #callIds: CallIds;
  #stopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#others = new OtherHosts(parts);
    this.#callIds = new CallIds(this.#others);
    this.#claims = new Claims(parts, this.#others);
    this.#places = new RunPlaces(parts, this.#others);
    this.#limit = new RunLimit(parts, this.#others);
    this.#agents = new Agents(parts, this.#active);
    this.#events = new EventStore(parts);
    this.#reader = new RunReader(parts, this.#active, this.#others);
    this.#logs = new RunLogs(parts, {
      active: this.#active,
      events: this.#events,
      others: this.#others,
      get: (id) => this.get(id),
    });
    this.#interrupted = new InterruptedRuns(parts, {
      agents: this.#agents,
      claims: this.#claims,
      isAtWork: (id) => this.#active.has(id),
      cancel: (id) => this.cancel(id),
      get: (id) => this.get(id),
      resume: (id, held) => this.#resume(id, held),
      isStopping: () => this.#stopping,
    });
  }

  active(id: string): RunInProgress | undefined {
    return this.#active.get(id);
  }

  activeOf(callerId: string): readonly RunInProgress[] {
    return [...this.#active.values()].filter(({ request }) => request.caller.id === callerId);
  }

  activeIn(conversationId: string): RunInProgress | undefined {
    return this.#claims.runIn(conversationId);
  }

  fenceIn: RunKeeper["fenceIn"] = (conversationId) => this.#claims.fenceIn(conversationId);

  live: RunKeeper["live"] = (id) => this.#logs.live(id);
  log: RunKeeper["log"] = (id) => this.#logs.log(id);
  takeCallIds: RunKeeper["takeCallIds"] = (runId, ids) => this.#callIds.take(runId, ids);

  async usesMemoryOf(topicId: string): Promise<boolean> {
    const isUsed = [...this.#active.values()].some(({ request }) => request.memoryCollectionId === topicId);
    return isUsed || isMemoryUsed(this.#others, topicId);
  }

  start(start: Parameters<RunKeeper["start"]>[0]): Promise<LiveRun> {
    return startWithinLimits(this.#parts, this.#limit, start, async (request) => {
      await this.#turnstile.pass();
      return this.#begin(request);
    });
  }

  async #begin(request: RunRequest): Promise<LiveRun> {
    const steps = new StepLog(this.#parts);
    const model = await resolveModel(this.#parts, request, steps);
    const { id, ...located } = await this.#parts.conversations.locate(request);
    const patience = this.#parts.preferences.get<number>("runs.queue_seconds");
    const claim = await this.#claims.take(id, request.parentMessageId === undefined ? patience : 0);
    try {
      await this.#interrupted.endHere(id, claim);
      const trace = await this.#agents.traceFor(request);
      const record = newRun(this.#parts, { ...request, trace }, id, model);
      const { conversation, writes, left } = await this.#parts.conversations.openForRequest(
        { id: record.id, request, model: model.modelId, ...located },
        id,
        model.contextWindow,
      );
      const options = this.#options(claim, record, model, steps);
      const run = new RunInProgress({ ...options, admission: writes, left });
      await this.#launch(claim, run, conversation, { open: [], answeredText: "", isNew: located.isNew });
      return run;
    } catch (error) {
      this.#parts.conversations.release(id);
      claim.release();
      throw error;
    }
  }

  #options({ fence }: Claim, stored: ReadRun, model: ModelEntry, steps: StepLog): RunOptions {
    const { version = 0, ...record } = stored;
    const commit = inOrder(this.#parts.stores.commit, record.id, version);
    const parent = this.#agents.parentOf(record.request);
    const keepEvents = this.#events.retention > 0;
    return { record, model, commit, fence, parent, restored: [], keepEvents, steps };
  }

  async #launch(
    claim: Claim,
    run: RunInProgress,
    conversation: Conversation,
    left: Omit<RunStart, "scope" | "workingDirectory">,
  ): Promise<void> {
    const { memoryCollectionId } = run.request;
    const scope = memoryCollectionId ?? this.#parts.conversations.scopeOf(conversation);
    const workingDirectory = await directoryFor(this.#parts, run.request, conversation);
    const letTopicGo = await withTopic(this.#parts, this.#others, memoryCollectionId, async () => {
      if (this.#stopping)
        throw new AppError({ code: "shutting_down", message: "The service is stopping.", retryAfter: 5 });
      this.#active.set(run.id, run);
    });
    claim.run = run;
    if (claim.isUnwanted || run.parent?.signal.aborted === true) run.cancel();
    run.signal.addEventListener("abort", () => this.#agents.stopAgentsOf(run), { once: true });
    void this.#work(run, { ...left, scope, workingDirectory }).then(() => {
      letTopicGo();
      claim.isLeft = this.#stopping && run.record.status === "interrupted";
      this.#interrupted.leave(run, claim);
      claim.release();
    });
  }

  /** A sub-agent needs no place of its own: the run above has one, and may wait for it. */
  async #work(run: RunInProgress, start: RunStart): Promise<void> {
    let free: (() => void) | undefined;
    if (run.request.parent === undefined) free = await this.#places.take(run.signal);
    run.store({ status: "running", startedAt: run.record.startedAt ?? this.#parts.timestamp() });
    await this.#parts.runWorkflow(run, start);
    free?.();
    this.#active.delete(run.id);
    this.#callIds.release(run.id);
    this.#agents.limitAgentsOf(run);
    this.#parts.conversations.release(run.conversationId);
    this.#logs.retain(run);
  }

  get: RunKeeper["get"] = (id) => this.#reader.get(id);
  list: RunKeeper["list"] = (filter) => this.#reader.list(filter);
  usage: RunKeeper["usage"] = (query) => this.#reader.usage(query);
  explain: RunKeeper["explain"] = (id) => this.#reader.explain(id);
  cassette: RunKeeper["cassette"] = (id) => readCassette(this.#parts, id);

  async cancel(id: string): Promise<RunRecord> {
    const run = this.#active.get(id);
    if (run !== undefined) {
      await noteDown(run, { cancelRequested: true });
      run.cancel();
      return publicRun(run.record);
    }
    const isAsked = await this.#others.askFor(await this.get(id), { kind: "cancel", runId: id });
    return isAsked ? this.get(id) : this.#interrupted.cancel(id);
  }

  async annotate(id: string, added: JsonObject): Promise<RunRecord> {
    const run = this.#active.get(id);
    if (run !== undefined) return noteDown(run, { annotations: { ...run.record.annotations, ...added } });
    const record = await this.get(id);
    if (await this.#others.askFor(record, { kind: "annotate", runId: id, added })) return this.get(id);
    return annotateStored(this.#parts, id, { ...record.annotations, ...added });
  }

  workedInElsewhere: RunKeeper["workedInElsewhere"] = (ids) =>
    this.#others.among(ids.filter((id) => !this.#claims.has(id)));

  askElsewhere: RunKeeper["askElsewhere"] = (id, errand) => this.#others.ask(id, errand);
  hold: RunKeeper["hold"] = (conversationId, seconds = 0) => this.#claims.take(conversationId, seconds);

  resume = (id: string): Promise<RunRecord> => this.#resume(id, new Map());

  async #resume(id: string, held: HeldClaims): Promise<RunRecord> {
    const { status, conversationId } = await this.get(id);
    if (status !== "interrupted") throw notResumable(status);
    const { conversations, stores } = this.#parts;
    const claim = held.get(conversationId) ?? (await this.#claims.take(conversationId, 0));
    held.delete(conversationId);
    try {
      const record = (await stores.runs.get(id)) as Stored<StoredRun>;
      if (record.status === "ended") throw notResumable("ended");
      const steps = new StepLog(this.#parts, await countSteps(this.#parts, record));
      const model = await resolveModel(this.#parts, record.request, steps);
      const conversation = await conversations.open(conversationId);
      if (conversation === undefined)
        throw new AppError({ code: "not_found", message: `The conversation of the run "${id}" is gone.` });
      placeOf(this.#parts, conversation);
      await conversations.openWindow(conversationId, model.contextWindow);
      const { streamedText, ...left } = await leftBy(this.#parts, id);
      const restored = await this.#events.read(id);
      const options = this.#options(claim, { ...record, status: "queued" }, model, steps);
      const run = new RunInProgress({ ...options, restored, streamedText });
      for (const agent of await this.#agents.interruptedOf(id)) await this.#resumeIfPossible(agent.id, held);
      await this.#launch(claim, run, conversation, left);
      if (run.request.parent === undefined) void run.done.then(this.#limit.enterAnyway());
      this.#interrupted.forget(conversationId);
      return publicRun(run.record);
    } catch (error) {
      conversations.release(conversationId);
      claim.isLeft = this.#stopping;
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
    const run = await runs.get(id);
    if (run !== undefined && (await this.#others.has(run.conversationId)))
      return void resumeOnceLetGo(this.#parts, this.#others, id);
    const above = await runs.get(run?.parentRunId ?? "");
    const waits = above !== undefined && above.status !== "ended" && !this.#active.has(above.id);
    if (waits) return this.resumeAfterAnswer(above.id);
    await this.#resumeIfPossible(id, new Map());
  }

  async #resumeIfPossible(id: string, held: HeldClaims): Promise<void> {
    await this.#resume(id, held).catch((error: unknown) =>
      this.#parts.log.warn({ error, run: id }, "the run could not be resumed"),
    );
  }

  async close(conversationId: string): ReturnType<RunKeeper["close"]> {
    const claim = await this.#claims.seize(conversationId);
    await this.#interrupted.endIn(conversationId, claim).catch((error: unknown) => {
      claim.release();
      throw error;
    });
    return claim;
  }

  async recover(): Promise<void> {
    await this.#interrupted.recover();
    this.#others.serve((conversationId, errand) => {
      const run = this.#claims.runIn(conversationId);
      return run === undefined ? undefined : carryOut(this.#parts, run, errand);
    });
    this.#others.watch({
      lost: (ids) => ids.forEach((id) => this.#claims.runIn(id)?.lose()),
      abandoned: (ids) => void this.#interrupted.takeFrom(ids),
    });
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
