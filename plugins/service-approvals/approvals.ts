import {
  AppError,
  defined,
  newId,
  type AnswerInput,
  type ApprovalRecord,
  type Caller,
  type Grant,
  type Page,
  type PendingCall,
  type Write,
} from "@pergola/sdk";
import {
  isFenced,
  pick,
  type ApprovalDraft,
  type ApprovalKeeper,
  type Fence,
  type Parts,
  type StoredApproval,
} from "@pergola/sdk/host";
import { CallsByHand } from "./calls-by-hand.ts";
import { checkMayAnswer } from "./check-may-answer.ts";
import { Grants } from "./grants.ts";
import { readAnswer } from "./read-answer.ts";
import { whenClosedElsewhere } from "./when-closed-elsewhere.ts";
import { headOf, publicApproval } from "./public-approval.ts";

type AskOptions = Parameters<ApprovalKeeper["ask"]>[1];

/**
 * Questions to the person, kept as records: they outlive the client that asked, and a restart. Each gets
 * exactly one final answer.
 */
export class Approvals implements ApprovalKeeper {
  readonly #parts: Parts;
  readonly #grants: Grants;
  readonly #byHand: CallsByHand;
  readonly #waiting = new Map<string, (closed: StoredApproval) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#grants = new Grants(parts);
    this.#byHand = new CallsByHand(parts);
  }

  /**
   * Asks, and waits for the final state. What this call has asked before is not asked twice; a question that
   * is out of date is closed.
   */
  async ask(draft: ApprovalDraft, of: AskOptions): ReturnType<ApprovalKeeper["ask"]> {
    const approval = await this.#obtain(draft, of);
    if (approval.decision !== "approved") return { approval, grantId: undefined };
    const grant = await this.#grants.madeBy(approval);
    return { approval, grantId: grant?.id };
  }

  async #obtain(draft: ApprovalDraft, of: AskOptions): Promise<StoredApproval> {
    const { run, signal, conversationId } = of;
    const known = await this.#ofCall(draft.toolCallId);
    const own = known.filter(
      (one) => one.runId === (run?.id ?? null) && one.conversationId === conversationId,
    );
    const same = own.findLast(({ digest, status }) => digest === draft.digest && status !== "cancelled");
    if (same !== undefined && same.status !== "pending") return same;
    const open = own.filter(({ status }) => status === "pending");
    const outdated = same === undefined ? open : [];
    for (const one of outdated) await this.#cancel(one, run?.fence);
    const sequence = (known.at(-1)?.sequence ?? 0) + 1;
    const approval = same ?? (await this.#make(draft, of, sequence));
    run?.setCallState(approval.toolCallId, "waits");
    run?.emit({ type: "question", approval: headOf(approval) });
    of.onQuestion(approval.id);
    try {
      return await this.#wait(approval, signal, run);
    } finally {
      run?.setCallState(approval.toolCallId, "works");
    }
  }

  async #make(
    draft: ApprovalDraft,
    { conversationId, run, caller }: AskOptions,
    sequence: number,
  ): Promise<StoredApproval> {
    await run?.admit();
    const now = this.#parts.clock.now();
    const seconds = this.#parts.preferences.get<number>("approvals.timeout_seconds");
    const approval: StoredApproval = {
      context: null,
      authorizeOperation: null,
      options: [],
      preview: null,
      ...draft,
      id: newId.approval(),
      sequence,
      runId: run?.id ?? null,
      conversationId,
      ...defined({ parentTool: run?.request.parent?.tool }),
      status: "pending",
      decision: null,
      answer: null,
      createdAt: new Date(now).toISOString(),
      expiresAt: seconds > 0 ? new Date(now + seconds * 1000).toISOString() : null,
      answeredAt: null,
      askedBy: pick(caller, "kind", "id", "name"),
      result: null,
    };
    if (run === null) await this.#byHand.take(approval);
    const write: Write = { collection: "approvals", put: approval, ifVersion: 0 };
    await this.#parts.stores.commit([write], run ?? undefined);
    void this.#parts.hooks.approvalRequested(headOf(approval));
    return approval;
  }

  /** Until the final state; a service that stops leaves the question open for its next start. */
  async #wait(
    approval: StoredApproval,
    signal: AbortSignal,
    run: AskOptions["run"],
  ): Promise<StoredApproval> {
    let leave!: (reason: unknown) => void;
    const closed = new Promise<StoredApproval>((resolve, reject) => {
      this.#waiting.set(approval.id, resolve);
      leave = reject;
    });
    const cancel = (): void => {
      if (run?.isInterrupted === true) leave(signal.reason);
      else void this.#cancel(approval, run?.fence).catch(leave);
    };
    const timer = this.#expireInTime(approval);
    const unwatch = whenClosedElsewhere(this.#parts, approval, (closed) => this.#tell(closed));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await closed;
    } finally {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener("abort", cancel);
      this.#waiting.delete(approval.id);
    }
  }

  /** False where nobody waits for an answer here. */
  #tell(closed: StoredApproval): boolean {
    this.#parts.runs.active(closed.runId ?? "")?.emit({ type: "question_closed", approval: headOf(closed) });
    const waiting = this.#waiting.get(closed.id);
    this.#waiting.delete(closed.id);
    waiting?.(closed);
    return waiting !== undefined;
  }

  #expireInTime({ id, expiresAt }: StoredApproval): NodeJS.Timeout | undefined {
    if (expiresAt === null) return undefined;
    const expire = (): void => void this.#close(id, { status: "expired" }).catch(() => undefined);
    return setTimeout(expire, Math.max(0, Date.parse(expiresAt) - this.#parts.clock.now()));
  }

  async list({
    status,
    conversationId,
    runId,
  }: Parameters<ApprovalKeeper["list"]>[0]): Promise<Page<ApprovalRecord>> {
    const filter = defined({
      conversationId: conversationId && this.#parts.conversations.idOf(conversationId),
      runId,
      status: status as ApprovalRecord["status"] | undefined,
    });
    const find = () => this.#parts.stores.approvals.find(filter, { order: "createdAt", limit: 1_000_000 });
    const late = (await find()).filter((one) => this.#isLate(one));
    await Promise.allSettled(late.map(({ id }) => this.#close(id, { status: "expired" })));
    const found = await find();
    return { items: found.map(headOf), count: found.length };
  }

  async get(id: string): Promise<ApprovalRecord> {
    return publicApproval(await this.#known(id));
  }

  async answer(
    id: string,
    input: AnswerInput,
    conversationId?: string,
    caller?: Caller,
  ): Promise<ApprovalRecord> {
    const approval = await this.#known(id);
    const { conversations } = this.#parts;
    if (conversationId !== undefined && conversations.idOf(conversationId) !== approval.conversationId)
      throw unknown(id);
    checkMayAnswer(approval, caller);
    const { decision, answer } = readAnswer(approval.kind, input);
    const writes: Write[] = [];
    if (decision === "approved") writes.push(...this.#grants.fromAnswer(approval, input));
    const answeredBy = caller && pick(caller, "kind", "id", "name");
    const end = { status: "answered", decision, answer, ...defined({ answeredBy }) } as const;
    const closed = await this.#close(approval.id, end, { writes });
    if (caller !== undefined && approval.kind === "approval") this.#note(closed, caller);
    return publicApproval(closed);
  }

  /** The answer counts, whether it can be written down or not. */
  #note({ id, tool, operation, decision, askedBy }: StoredApproval, caller: Caller): void {
    const asked = askedBy === undefined ? "" : ` asked by ${askedBy.kind} ${askedBy.id}`;
    const target = `${tool}.${operation} ${id}${asked}`;
    this.#parts.access?.note({ action: "approval.answer", target, outcome: decision ?? "", caller });
  }

  /** Runs a call by hand that was answered, unless another host has it. */
  async resumeByHand(approval: StoredApproval): Promise<void> {
    if (await this.#byHand.take(approval)) await this.#parts.tools.resume(approval);
  }

  fenceOf: ApprovalKeeper["fenceOf"] = (toolCallId) => this.#byHand.fenceOf(toolCallId);

  /** Nobody waits for this answer any more, but its call does. */
  async #resume(approval: StoredApproval): Promise<void> {
    if (approval.runId === null) await this.resumeByHand(approval);
    else await this.#parts.runs.resumeAfterAnswer(approval.runId);
  }

  cancelling: ApprovalKeeper["cancelling"] = async (of) => {
    const pending = await this.#parts.stores.approvals.find({ ...of, status: "pending" });
    const end = { status: "cancelled", answeredAt: this.#parts.timestamp() } as const;
    const cancelled = pending.map(({ version, ...one }) => ({ put: { ...one, ...end }, ifVersion: version }));
    return {
      writes: cancelled.map((write) => ({ collection: "approvals", ...write })),
      tell: () => cancelled.forEach(({ put }) => this.#tell(put)),
    };
  };

  setResult: ApprovalKeeper["setResult"] = (id, result) => this.#byHand.end(id, result);

  /** For the run or the call that has asked: where another host took it over, the question stays open. */
  #cancel({ id, toolCallId }: StoredApproval, fence = this.fenceOf(toolCallId)): Promise<StoredApproval> {
    return this.#close(id, { status: "cancelled" }, { fence });
  }

  /** Two answers at once: the condition on the version lets one win. */
  async #close(
    id: string,
    end: Partial<StoredApproval>,
    { writes = [], fence }: { readonly writes?: readonly Write[]; readonly fence?: Fence | undefined } = {},
  ): Promise<StoredApproval> {
    const { version, ...approval } = await this.#known(id);
    if (approval.status !== "pending") throw alreadyAnswered(id);
    if (end.status === "answered" && this.#isLate(approval)) {
      await this.#close(id, { status: "expired" });
      throw alreadyAnswered(id);
    }
    const answeredAt = this.#parts.timestamp();
    const closed: StoredApproval = { ...approval, ...end, answeredAt };
    await this.#parts.stores
      .commit([{ collection: "approvals", put: closed, ifVersion: version }, ...writes], { fence })
      .catch((cause: unknown) => {
        if (AppError.is(cause) && cause.code === "conflict" && !isFenced(cause)) throw alreadyAnswered(id);
        throw cause;
      });
    if (!this.#tell(closed) && closed.status === "answered") await this.#resume(closed);
    return closed;
  }

  /** Nobody has answered in time. */
  #isLate({ status, expiresAt }: StoredApproval): boolean {
    return status === "pending" && expiresAt !== null && Date.parse(expiresAt) <= this.#parts.clock.now();
  }

  async #known(id: string) {
    const found = (await this.#parts.stores.approvals.get(id)) ?? (await this.#ofCall(id)).at(-1);
    if (found === undefined) throw unknown(id);
    return found;
  }

  /** The questions of a call, in order. */
  async #ofCall(toolCallId: string) {
    const found = await this.#parts.stores.approvals.find({ toolCallId });
    return found.toSorted((a, b) => a.sequence - b.sequence);
  }

  useGrant(call: PendingCall, conversationId: string): Promise<Write | undefined> {
    return this.#grants.use(call, conversationId);
  }

  async grants(conversationId?: string): Promise<Page<Grant>> {
    return this.#grants.list(conversationId && this.#parts.conversations.idOf(conversationId));
  }

  async revoke(grantId: string): Promise<void> {
    await this.#grants.revoke(grantId);
  }
}

const unknown = (id: string): AppError =>
  new AppError({ code: "not_found", message: `There is no question with the id "${id}".` });
const alreadyAnswered = (id: string): AppError =>
  new AppError({ code: "already_answered", message: `The question "${id}" has its final answer.` });
