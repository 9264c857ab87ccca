import {
  AppError,
  newId,
  ToolError,
  type AnswerInput,
  type ApprovalRecord,
  type ApprovalService,
  type Grant,
  type Page,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { idOf } from "./conversation-ids.ts";
import type { ActiveRun } from "./live-run.ts";
import { readAnswer } from "./read-answer.ts";
import type { StoredApproval } from "./stores.ts";

export type Draft = Pick<
  StoredApproval,
  "toolCallId" | "kind" | "tool" | "operation" | "arguments" | "paths" | "effect" | "reason" | "prompt" | "digest"
> &
  Partial<Pick<StoredApproval, "context" | "authorizeOperation" | "options" | "byHand">>;

export const shown = ({
  digest: _digest,
  sequence: _sequence,
  byHand: _byHand,
  version: _version,
  ...record
}: StoredApproval & { readonly version?: number }): ApprovalRecord => record;

/** Questions to the person, kept as records: they outlive the client that asked, and a restart. Each gets exactly one final answer. */
export class Approvals implements ApprovalService {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, (closed: StoredApproval) => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Asks, and waits for the final state. What this call has asked before is not asked twice; a question that is out of date is closed. */
  async ask(
    draft: Draft,
    of: { readonly run: ActiveRun | null; readonly conversationId: string; readonly signal: AbortSignal; asked(id: string): void },
  ): Promise<StoredApproval> {
    const { run, conversationId, signal } = of;
    const known = await this.#ofCall(draft.toolCallId);
    const own = known.filter((one) => one.runId === (run?.id ?? null) && one.conversationId === conversationId);
    const same = own.findLast(({ digest, status }) => digest === draft.digest && status !== "cancelled");
    if (same !== undefined && same.status !== "pending") return same;
    const outdated = same === undefined ? own.filter(({ status }) => status === "pending") : [];
    for (const { id } of outdated) await this.#close(id, { status: "cancelled" });
    const approval = same ?? (await this.#make(draft, conversationId, run, (known.at(-1)?.sequence ?? 0) + 1));
    run?.atWork(approval.toolCallId, "waits");
    run?.emit({ type: "question", approval: shown(approval) });
    of.asked(approval.id);
    try {
      return await this.#wait(approval, signal, () => run?.interrupted === true);
    } finally {
      run?.atWork(approval.toolCallId, "works");
    }
  }

  async #make(draft: Draft, conversationId: string, run: ActiveRun | null, sequence: number): Promise<StoredApproval> {
    await run?.admit();
    const now = this.#parts.clock.now();
    const seconds = this.#parts.preferences.get<number>("approvals.timeout_seconds");
    const approval: StoredApproval = {
      context: null,
      authorizeOperation: null,
      options: [],
      ...draft,
      id: newId.approval(),
      sequence,
      runId: run?.id ?? null,
      conversationId,
      status: "pending",
      decision: null,
      answer: null,
      createdAt: new Date(now).toISOString(),
      expiresAt: seconds > 0 ? new Date(now + seconds * 1000).toISOString() : null,
      answeredAt: null,
      result: null,
    };
    await this.#parts.stores.commit([{ collection: "approvals", put: approval, ifVersion: 0 }]);
    return approval;
  }

  /** Until the final state; a service that stops leaves the question open for its next start. */
  async #wait(approval: StoredApproval, signal: AbortSignal, interrupted: () => boolean): Promise<StoredApproval> {
    let leave!: (reason: unknown) => void;
    const closed = new Promise<StoredApproval>((resolve, reject) => {
      this.#waiting.set(approval.id, resolve);
      leave = reject;
    });
    const cancel = (): void => (interrupted() ? leave(signal.reason) : void this.#close(approval.id, { status: "cancelled" }).catch(leave));
    const left = approval.expiresAt === null ? undefined : Date.parse(approval.expiresAt) - this.#parts.clock.now();
    const timer =
      left === undefined
        ? undefined
        : setTimeout(() => void this.#close(approval.id, { status: "expired" }).catch(() => undefined), Math.max(0, left));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await closed;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      this.#waiting.delete(approval.id);
    }
  }

  async list({
    status,
    conversationId,
    runId,
  }: {
    readonly status?: string;
    readonly conversationId?: string;
    readonly runId?: string;
  }): Promise<Page<ApprovalRecord>> {
    const conversation = conversationId === undefined ? {} : { conversationId: idOf(conversationId) };
    const filter = {
      ...conversation,
      ...(runId === undefined ? {} : { runId }),
      ...(status === undefined || status === "all" ? {} : { status: status as ApprovalRecord["status"] }),
    };
    const find = () => this.#parts.stores.approvals.find(filter, { order: "createdAt", limit: 1_000_000 });
    const late = (await find()).filter((one) => this.#isLate(one));
    await Promise.allSettled(late.map(({ id }) => this.#close(id, { status: "expired" })));
    const found = await find();
    return { items: found.map(shown), count: found.length };
  }

  async get(id: string): Promise<ApprovalRecord> {
    return shown(await this.#known(id));
  }

  async answer(id: string, input: AnswerInput, conversationId?: string): Promise<ApprovalRecord> {
    const approval = await this.#known(id);
    if (conversationId !== undefined && idOf(conversationId) !== approval.conversationId) throw unknown(id);
    const { decision, answer } = readAnswer(approval.kind, input);
    const grant = decision === "approved" ? this.#parts.grants.fromAnswer(approval, input) : undefined;
    const made: readonly Write[] = grant === undefined ? [] : [{ collection: "grants", put: grant }];
    const closed = await this.#close(approval.id, { status: "answered", decision, answer }, made);
    return shown(closed);
  }

  /** Nobody waits for this answer any more, but its call does. */
  async #goOn(approval: StoredApproval): Promise<void> {
    if (approval.runId === null) await this.#parts.hand.goOn(approval);
    else await this.#parts.runs.goOn(approval.runId);
  }

  /** The grant made by an answered approval. */
  async grantOf(approvalId: string, conversationId: string): Promise<Grant | undefined> {
    return (await this.#parts.stores.grants.find({ conversationId })).find((grant) => grant.approvalId === approvalId);
  }

  /** Ends the pending questions of a run or a conversation. */
  async cancelAll(of: { readonly runId: string } | { readonly conversationId: string }): Promise<void> {
    const pending = await this.#parts.stores.approvals.find({ ...of, status: "pending" });
    await Promise.allSettled(pending.map(({ id }) => this.#close(id, { status: "cancelled" })));
  }

  /** What an approved call by hand came to; its conversation may be gone by then. */
  async setResult(id: string, result: ApprovalRecord["result"]): Promise<void> {
    const found = await this.#parts.stores.approvals.get(id);
    if (found !== undefined) await this.#parts.stores.approvals.put({ ...found, result });
  }

  /** The one place where an approval leaves `pending`. Two answers at once: the condition on the version lets one win. */
  async #close(id: string, end: Partial<StoredApproval>, writes: readonly Write[] = []): Promise<StoredApproval> {
    const { version, ...approval } = await this.#known(id);
    const late = this.#isLate(approval) && end.status === "answered";
    if (approval.status !== "pending") throw answered(id);
    const closed: StoredApproval = {
      ...approval,
      ...(late ? { status: "expired" as const } : end),
      answeredAt: new Date(this.#parts.clock.now()).toISOString(),
    };
    await this.#parts.stores
      .commit([{ collection: "approvals", put: closed, ifVersion: version }, ...(late ? [] : writes)])
      .catch((cause: unknown) => {
        throw AppError.is(cause) && cause.code === "conflict" ? answered(id) : cause;
      });
    if (closed.runId !== null) this.#parts.runs.active(closed.runId)?.emit({ type: "question_closed", approval: shown(closed) });
    const waiting = this.#waiting.get(id);
    waiting?.(closed);
    if (late) throw answered(id);
    if (waiting === undefined && closed.status === "answered") await this.#goOn(closed);
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

  async grants(conversationId?: string): Promise<Page<Grant>> {
    return this.#parts.grants.list(conversationId === undefined ? undefined : idOf(conversationId));
  }

  async revoke(grantId: string): Promise<void> {
    await this.#parts.grants.revoke(grantId);
  }
}

const unknown = (id: string): AppError => new AppError({ code: "not_found", message: `There is no question with the id "${id}".` });
const answered = (id: string): AppError =>
  new AppError({ code: "already_answered", message: `The question "${id}" has its final answer.` });

/** What a call that did not get its yes returns; `denials` counts those of its operation in this run, this one too. */
export function refusal(closed: StoredApproval, denials: number): ToolError {
  if (closed.status === "expired")
    return new ToolError("approval_expired", "Nobody answered the approval in time.", { hint: "Ask the person whether to try again." });
  if (closed.status === "cancelled") return new ToolError("cancelled", "The call was cancelled while it waited for the person.");
  const said = closed.answer === null || closed.answer === "" ? "" : ` They said: ${closed.answer}`;
  const again = denials >= 2 ? "Do not ask for this operation again in this run." : "Do something else, or explain why it is needed.";
  return new ToolError("denied", `The person said no.${said}`, { hint: again });
}
