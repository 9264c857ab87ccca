import {
  AppError,
  type ApprovalRecord,
  type ModelEntry,
  type RunEvent,
  type RunOutcome,
  type RunRequest,
  type Usage,
  type Write,
} from "@pergola/sdk";
import { cutByStop, GrowingText, isFenced, type ActiveRun, type StoredRun } from "@pergola/sdk/host";
import { eventForParent } from "./agents.ts";
import { charged, chargeOf, type Charge } from "./charge.ts";
import { OpenCalls } from "./open-calls.ts";
import { deferred } from "./deferred.ts";
import { EventLog } from "./event-log.ts";
import { lastPuts } from "./last-puts.ts";
import { quietEvents } from "./quiet-events.ts";
import { requestSize } from "./request-size.ts";
import { storedForm, warningsOf, type RunOptions } from "./run-options.ts";
import type { StepLog } from "./step-log.ts";
import { nextState, type RunState } from "./run-state.ts";
import { Stopwatch } from "./stopwatch.ts";
import { lostRun, throwFailure } from "./storage-failure.ts";
import { waitingLine } from "./waiting-line.ts";
import { WaitingWrites } from "./waiting-writes.ts";

/**
 * What a run keeps in memory while this host works on it: its record, its numbered events, and its one abort
 * controller.
 */
export class RunInProgress implements ActiveRun {
  readonly id: string;
  readonly conversationId: string;
  readonly request: RunRequest;
  readonly controller = new AbortController();
  readonly firstActivity: Promise<void>;
  readonly done: Promise<RunOutcome>;
  readonly warnings: string[];
  readonly memories: ActiveRun["memories"] = new Map();
  readonly steps: StepLog;
  readonly fence: RunOptions["fence"];
  readonly branchedFrom?: string | null;
  isInterrupted = false;
  sentTokens: number | undefined;
  failure: AppError | undefined;
  expired: AppError | undefined;
  model: ModelEntry;
  record: StoredRun;
  readonly #calls = new OpenCalls();
  readonly #stopwatch = new Stopwatch();
  readonly #parent: () => RunInProgress | undefined;
  readonly #commit: RunOptions["commit"];
  readonly #log: EventLog;
  readonly #sign = deferred<void>();
  readonly #done = deferred<RunOutcome>();
  readonly #streamed: GrowingText;
  readonly #waiting = new WaitingWrites(() => this.#storeWaiting());
  #question: ApprovalRecord | undefined;
  #state: RunState = { name: "admitted" };
  #stored: Promise<void> = Promise.resolve();

  constructor(options: RunOptions) {
    const { record, model, commit, admission, parent, restored, keepEvents, left } = options;
    this.#streamed = new GrowingText(options.streamedText);
    this.warnings = warningsOf(options);
    if (left !== undefined) this.branchedFrom = left.below;
    this.steps = options.steps;
    this.id = record.id;
    this.conversationId = record.conversationId;
    this.request = record.request;
    this.record = storedForm(record);
    this.model = model;
    this.#commit = commit;
    this.fence = options.fence;
    if (admission !== undefined) this.#state = { name: "held", admission };
    this.#parent = parent;
    this.#log = new EventLog(restored, keepEvents);
    this.firstActivity = this.#sign.promise;
    this.firstActivity.catch(() => undefined);
    this.done = this.#done.promise;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get streamedText(): string {
    return this.#streamed.toString();
  }

  get parent(): RunInProgress | undefined {
    return this.#parent();
  }

  emit(event: RunEvent): void {
    if (this.#state.name === "ended") return;
    const { parent } = this.request;
    const seen = parent && eventForParent(event, parent.tool);
    if (seen !== undefined) this.parent?.emit(seen);
    if (!quietEvents.has(event.type)) this.startAdmission();
    this.#log.add(event);
    if (event.type === "text") this.#streamed.add(event.text);
    if (event.type !== "question") return;
    this.#question = event.approval;
    if (this.request.waitingNote?.isStreamed === true) this.announceWaiting();
  }

  announceWaiting(): string {
    const line = waitingLine(this.#question, this.request);
    if (line !== "" && this.streamedText !== "") this.emit({ type: "text", text: "\n\n" });
    if (line !== "") this.emit({ type: "text", text: line });
    return line;
  }

  store(
    changes: Partial<StoredRun>,
    writes: readonly Write[] = [],
    end?: (record: StoredRun) => RunOutcome,
  ): void {
    const before = this.record.status;
    this.record = { ...this.record, ...changes };
    if (this.record.status !== before) this.#changed();
    if (this.#state.name === "held" && writes.length === 0 && end === undefined) return;
    if (this.#state.name === "held") this.#sign.resolve();
    const ending: RunEvent | undefined = end && { type: "end", outcome: end(this.record) };
    this.#write([...this.#takeAdmission(), ...writes], ending);
  }

  storeSoon(writes: readonly Write[]): void {
    if (this.#state.name === "held") this.store({}, writes);
    else this.#waiting.add(writes);
  }

  #storeWaiting(): void {
    if (!this.#waiting.isEmpty) this.#write([]);
  }

  get count(): number {
    return this.#log.count;
  }

  get restored(): number {
    return this.#log.restored;
  }

  #changed(): void {
    this.time(this.id, this.record.status === "running");
    this.emit({ type: "state", run: this.record });
  }

  /** Whether this run, or one below it, is at work: that is this one's time, and that of those above. */
  time(runId: string, works: boolean): void {
    this.#stopwatch.set(runId, works);
    this.parent?.time(runId, works);
  }

  /** Calls that wait for the person. */
  get pending(): readonly string[] {
    return this.#calls.asking;
  }

  /**
   * Where a call stands, and which calls ask the person for it. The run waits when one waits for the person
   * and nothing else goes on; to a run that waits for this one, this one is its call.
   */
  setCallState(
    callId: string,
    state: "works" | "waits" | "ended",
    asking: readonly string[] = [callId].filter(() => state === "waits"),
  ): void {
    this.#calls.set(callId, state, asking);
    const { state: work, status, asking: pendingToolCallIds } = this.#calls;
    const { record } = this;
    const isNew = record.status !== status || record.pendingToolCallIds.join() !== pendingToolCallIds.join();
    if (isNew && !this.signal.aborted) this.store({ status, pendingToolCallIds });
    const above = this.request.parent?.callId;
    if (above !== undefined) this.parent?.setCallState(above, work, pendingToolCallIds);
  }

  get workedSeconds(): number {
    return this.#stopwatch.seconds;
  }

  addUsage(usage: Usage, isEstimated: boolean): void {
    this.charge(chargeOf(this.model, usage, isEstimated));
  }

  /** What this run or one below has used. */
  charge(added: Charge): void {
    this.updateRecord(charged(this.record, added));
    this.parent?.charge(added);
  }

  /** There is something to see: from now on the run is stored, whatever becomes of it. Not waited for. */
  startAdmission(): void {
    this.#sign.resolve();
    if (this.#state.name === "held") this.#write(this.#takeAdmission());
  }

  /** The provider has begun to answer. Who waits for the whole answer has seen nothing yet. */
  onAnswer(model: ModelEntry, sentTokens: number): void {
    this.model = model;
    this.sentTokens ??= sentTokens;
    if (this.request.stream === true) this.startAdmission();
  }

  async admit(): Promise<void> {
    this.startAdmission();
    await this.flush();
  }

  get isAdmitted(): boolean {
    return this.#state.name !== "held";
  }

  /** Forgets what the admission would have written: the run failed before its first sign of life. */
  refuse(): void {
    this.#state = nextState(this.#state, "refused");
  }

  /**
   * Resolves when all that was stored so far is durable; rejects when something could not be stored, or
   * another host has the run by now, so that nothing is stored any more.
   */
  async flush(): Promise<void> {
    this.#storeWaiting();
    await this.#stored;
    if (this.failure !== undefined) throw this.failure;
  }

  #takeAdmission(): readonly Write[] {
    if (this.#state.name !== "held") return [];
    const { admission } = this.#state;
    this.#state = nextState(this.#state, "admitted");
    return admission;
  }

  /** Stores the record too; after a write that failed, nothing. Nobody has seen events of a refused run. */
  #write(added: readonly Write[], ending?: RunEvent): void {
    const writes = [...this.#waiting.take(), ...added, { collection: "runs", put: this.record }];
    if (this.failure !== undefined) return;
    const isRefused = this.#state.name === "refused";
    const events = isRefused ? [] : this.#log.writes(this.record, writes, ending);
    const steps = this.steps.writes(this.record, writes, isRefused);
    const written = this.#commit(lastPuts([...writes, ...events, ...steps]), this);
    const all = Promise.all([this.#stored, written.catch(throwFailure(this.id))]);
    (this.#stored = all.then(() => undefined)).catch((error: AppError) => {
      this.failure ??= error;
      if (isFenced(error.cause)) this.lose();
      else this.controller.abort(this.failure);
    });
  }

  cancel(): void {
    this.controller.abort(new AppError({ code: "run_ended", message: "The run was cancelled." }));
  }

  /** The run has taken too long, or the one above it has. */
  expire(reason: AppError): void {
    if (this.signal.aborted) return;
    this.expired = reason;
    this.controller.abort(reason);
  }

  interrupt(): void {
    this.isInterrupted = true;
    this.controller.abort(cutByStop(this.id));
  }

  /** Another host has taken the run over: nothing that happens here counts any more. */
  lose(): void {
    this.failure ??= lostRun(this.id);
    this.interrupt();
  }

  updateRecord(changes: Partial<StoredRun>): void {
    this.record = { ...this.record, ...changes };
  }

  end(outcome: RunOutcome): void {
    this.#state = nextState(this.#state, "ended");
    if (outcome.error === null) this.#sign.resolve();
    else this.#sign.reject(outcome.error);
    this.#log.add({ type: "end", outcome });
    this.#done.resolve(outcome);
  }

  /** About the bytes that its request and its events hold. */
  get size(): number {
    return requestSize(this.request.messages) + this.#log.size;
  }

  events(after = 0, tooSlow?: () => void): ReturnType<EventLog["read"]> {
    return this.#log.read(after, tooSlow);
  }
}
