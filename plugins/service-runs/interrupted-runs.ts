import { AppError, type RunRecord } from "@pergola/sdk";
import { isFenced, placeOf, type Fence, type Parts, type StoredRun } from "@pergola/sdk/host";
import type { Agents } from "./agents.ts";
import type { Claim, Claims } from "./claims.ts";
import { endStored } from "./stored-runs.ts";
import { throwFailure } from "./storage-failure.ts";
import { mostOpen, open, recoverRuns, type LeftRun } from "./recover-runs.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** What this host has claimed, by conversation: who takes a claim out gives it back. */
export type HeldClaims = Map<string, Claim>;

interface InterruptedRunsOptions {
  readonly agents: Agents;
  readonly claims: Claims;
  /** Whether this host works on the run. */
  readonly isAtWork: (runId: string) => boolean;
  readonly cancel: (runId: string) => Promise<RunRecord>;
  readonly get: (runId: string) => Promise<RunRecord>;
  /** Goes on with a run, and with those below it, by what is held of their claims. */
  readonly resume: (runId: string, held: HeldClaims) => Promise<unknown>;
  readonly isStopping: () => boolean;
}

/** Milliseconds after which a storage is asked again that could not be reached. */
const pause = 1000;
/** Milliseconds between two looks at runs of another place. */
const longPause = 10_000;
/** How often a run is taken up again here that cannot be stored: each time, a model is asked. */
const mostTakeUps = 3;

/**
 * Runs that were cut and may go on. Those that nobody works on any more are settled after a start, and where
 * there are several hosts, what another one has left: a run is taken with all runs below it, by the host that
 * gets its conversation.
 */
export class InterruptedRuns {
  readonly #parts: Parts;
  readonly #options: InterruptedRunsOptions;
  /** By conversation. */
  readonly #known = new Map<string, string>();
  /** Conversations of another place, and when they are looked at again. */
  readonly #elsewhere = new Map<string, number>();
  /** How often runs could not be stored, by their ids. */
  readonly #failures = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, options: InterruptedRunsOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  note({ conversationId, id }: Pick<StoredRun, "conversationId" | "id">): void {
    this.#known.set(conversationId, id);
  }

  forget(conversationId: string): void {
    this.#known.delete(conversationId);
  }

  /**
   * This host works on the run no more. One that was cut goes on when somebody says so, or as after a start;
   * one for which the storage was away, as soon as that answers, where it is a server.
   */
  leave(run: RunInProgress, { released }: Pick<Claim, "released">): void {
    const { id, failure, isInterrupted, record } = run;
    const isCut = failure !== undefined || record.status !== "ended";
    const failures = isCut && !isInterrupted ? 1 + (this.#failures.get(id) ?? 0) : 0;
    if (failures === 0) this.#failures.delete(id);
    else this.#failures.set(id, failures);
    if (isCut) this.note(run);
    if (failures === 0 || failures > mostTakeUps || this.#parts.stores.storage.hosts === undefined) return;
    void released.then(() => this.takeFrom([run.conversationId]));
  }

  /**
   * A new message ends what a stop had interrupted. Rejects with `wrong_host`, and ends nothing, where
   * another host has the files of the conversation. Only for who has claimed the conversation.
   */
  async endHere(conversationId: string, claim: Pick<Claim, "fence">): Promise<void> {
    const stored = await this.#openIn(conversationId);
    if (stored === undefined) return;
    placeOf(this.#parts, await this.#parts.stores.conversations.get(conversationId));
    await this.#end(stored, claim);
  }

  /** A cancel or a deletion ends it at any host. Only for who has claimed the conversation. */
  async endIn(conversationId: string, claim: Pick<Claim, "fence">): Promise<void> {
    const stored = await this.#openIn(conversationId);
    if (stored !== undefined) await this.#end(stored, claim);
  }

  async #openIn(conversationId: string): Promise<StoredRun | undefined> {
    const id = this.#known.get(conversationId) ?? (await this.#leftIn(conversationId));
    const stored = id === undefined ? undefined : await this.#parts.stores.runs.get(id);
    if (stored !== undefined && stored.status !== "ended") return stored;
    this.forget(conversationId);
    return undefined;
  }

  async #end(stored: StoredRun, { fence }: Pick<Claim, "fence">): Promise<void> {
    const ending = { completionReason: "cancelled", error: null } as const;
    this.forget(stored.conversationId);
    await endStored(this.#parts, stored, ending, fence).catch(throwFailure(stored.id));
    const { agents, cancel } = this.#options;
    const below = [...agents.of(stored.id), ...(await agents.interruptedOf(stored.id))];
    await Promise.allSettled(below.map((agent) => cancel(agent.id)));
  }

  /**
   * Rejects with `run_ended` where it is not interrupted. One that this host resumes meanwhile is cancelled.
   */
  async cancel(id: string): Promise<RunRecord> {
    const { cancel, claims, get, isAtWork } = this.#options;
    const ended = new AppError({ code: "run_ended", message: `The run "${id}" has ended.` });
    const { status, conversationId } = await get(id);
    if (status !== "interrupted") throw ended;
    const claim = await claims.take(conversationId, 5).catch((error: unknown) => {
      if (!isAtWork(id)) throw error;
    });
    if (claim === undefined) return cancel(id);
    try {
      const { status: now } = (await this.#parts.stores.runs.get(id)) ?? { status: "ended" };
      if (now === "ended") throw ended;
      this.note({ id, conversationId });
      await this.endIn(conversationId, claim);
    } finally {
      claim.release();
    }
    return get(id);
  }

  /** After a start: what the last stop has left, or other hosts that are gone. */
  async recover(): Promise<void> {
    if (this.#parts.stores.storage.hosts !== undefined)
      return void (await this.#inTurn(() => this.#takeRuns(undefined)));
    const left = await this.#noted(recoverRuns(this.#parts, this.#options.agents));
    void this.#goOn(left, new Map());
  }

  async #noted(recovered: Promise<readonly LeftRun[]>): Promise<readonly LeftRun[]> {
    const left = await recovered;
    for (const { run } of left) this.note(run);
    return left;
  }

  /** Gives back what it does not need of what is held. */
  async #goOn(left: readonly LeftRun[], held: HeldClaims): Promise<void> {
    for (const { run, resumes } of left) if (resumes) await this.#resume(run, held);
    for (const claim of held.values()) claim.release();
  }

  async #resume({ id, conversationId }: StoredRun, held: HeldClaims): Promise<void> {
    await this.#options.resume(id, held).catch((error: unknown) => {
      this.#parts.log.warn({ error, run: id }, "the run could not be resumed");
      if (AppError.is(error) && error.code === "storage_unavailable") this.#takeLater([conversationId]);
    });
  }

  /**
   * Conversations that hosts which are gone had worked in. Those whose runs belong to another place, or still
   * end here, are left to whoever is told of them next.
   */
  async takeFrom(abandoned: readonly string[]): Promise<void> {
    const now = performance.now();
    const conversationIds = abandoned.filter((id) => (this.#elsewhere.get(id) ?? now) <= now);
    if (conversationIds.length === 0 || this.#options.isStopping()) return;
    await this.#inTurn(async () => {
      const others = await this.#takeRuns(new Set(conversationIds));
      for (const id of conversationIds.filter((one) => !others.has(one))) {
        const claim = await this.#options.claims.takeIfFree(id);
        claim?.release();
        await claim?.released;
      }
    }).catch((error: unknown) => {
      this.#parts.log.warn({ error }, "runs of another host could not be taken over");
      this.#takeLater(conversationIds);
    });
  }

  /** This host may have given back by then what the storage would tell of. */
  #takeLater(conversationIds: readonly string[]): void {
    if (this.#parts.stores.storage.hosts === undefined) return;
    setTimeout(() => void this.takeFrom(conversationIds), pause).unref();
  }

  /**
   * The run in this conversation that a host has left, which nobody has settled yet. Only for who has claimed
   * the conversation.
   */
  async #leftIn(conversationId: string): Promise<string | undefined> {
    const { storage, runs } = this.#parts.stores;
    if (storage.hosts === undefined) return undefined;
    const [run] = await runs.find({ status: { in: open }, conversationId }, { limit: 1 });
    return run?.id;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves to the conversations with runs that another host is to take, or that this one works on. */
  async #takeRuns(among: ReadonlySet<string> | undefined): Promise<ReadonlySet<string>> {
    const { runs } = this.#parts.stores;
    const found = await runs.find({ status: { in: open } }, { order: "createdAt", limit: mostOpen });
    const { isAtWork } = this.#options;
    const all = found.filter(({ id }) => !isAtWork(id));
    const others = new Set(found.filter(({ id }) => isAtWork(id)).map(conversationOf));
    const ids = new Set(all.map(({ id }) => id));
    const agents = byParent(all);
    const isTop = ({ parentRunId, conversationId }: StoredRun): boolean =>
      !ids.has(parentRunId ?? "") && (among?.has(conversationId) ?? true);
    for (const top of all.filter(isTop)) {
      const tree = withAgents(top, agents);
      if (await this.#isHere(top)) await this.#take(tree);
      else for (const id of tree.map(conversationOf)) others.add(this.#leave(id));
    }
    return others;
  }

  #leave(conversationId: string): string {
    this.#elsewhere.set(conversationId, performance.now() + longPause);
    return conversationId;
  }

  /** Only a host that sees the files of a run goes on with it. */
  async #isHere({ conversationId }: StoredRun): Promise<boolean> {
    try {
      placeOf(this.#parts, await this.#parts.stores.conversations.get(conversationId));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * A run and those below it, in one piece or not at all. A run that goes on keeps the claim by which it was
   * settled: where this host dies in between, others see that it had the run.
   */
  async #take(tree: readonly StoredRun[]): Promise<void> {
    const held: HeldClaims = new Map();
    const left = await this.#settle(tree, held).catch((error: unknown) => {
      for (const claim of held.values()) claim.release();
      throw error;
    });
    const taken = [...held.values()];
    void this.#goOn(left, held);
    if (!left.some(({ resumes }) => resumes)) await Promise.all(taken.map(({ released }) => released));
  }

  /** Nothing where another host is faster. */
  async #settle(tree: readonly StoredRun[], held: HeldClaims): Promise<readonly LeftRun[]> {
    const { agents, claims } = this.#options;
    for (const { conversationId } of tree) {
      const claim = await claims.takeIfFree(conversationId);
      if (claim === undefined) return [];
      held.set(conversationId, claim);
    }
    const conversations = new Map(tree.map(({ id, conversationId }) => [id, conversationId]));
    const own = {
      ids: [...conversations.keys()],
      fenceOf: ({ id }: StoredRun): Fence | undefined => held.get(conversations.get(id) ?? "")?.fence,
    };
    try {
      return await this.#noted(recoverRuns(this.#parts, agents, own));
    } catch (error) {
      // This host was out of reach meanwhile.
      if (isFenced(error)) return [];
      throw error;
    }
  }
}

const conversationOf = ({ conversationId }: StoredRun): string => conversationId;

type ByParent = ReadonlyMap<string | null, readonly StoredRun[]>;

function byParent(runs: readonly StoredRun[]): ByParent {
  const children = new Map<string | null, StoredRun[]>();
  for (const run of runs) {
    const known = children.get(run.parentRunId);
    if (known === undefined) children.set(run.parentRunId, [run]);
    else known.push(run);
  }
  return children;
}

/** A run and those below it. */
function withAgents(top: StoredRun, agents: ByParent): readonly StoredRun[] {
  return [top, ...(agents.get(top.id) ?? []).flatMap((agent) => withAgents(agent, agents))];
}
