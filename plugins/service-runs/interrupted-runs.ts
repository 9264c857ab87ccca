import { AppError, type RunRecord } from "@pergola/sdk";
import { isFenced, placeOf, type Fence, type Parts, type StoredRun } from "@pergola/sdk/host";
import type { Agents } from "./agents.ts";
import type { Claim, Claims } from "./claims.ts";
import { endStored } from "./stored-runs.ts";
import { throwFailure } from "./storage-failure.ts";
import { recoverRuns, unfinished, type LeftRun } from "./recover-runs.ts";

interface InterruptedRunsOptions {
  readonly agents: Agents;
  readonly claims: Claims;
  /** Whether this host works on the run. */
  readonly isAtWork: (runId: string) => boolean;
  readonly cancel: (runId: string) => Promise<unknown>;
  readonly get: (runId: string) => Promise<RunRecord>;
}

const open = [...unfinished, "interrupted"] as const;

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

  /** Rejects with `run_ended` where it is not interrupted. */
  async cancel(id: string): Promise<RunRecord> {
    const { claims, get } = this.#options;
    const ended = new AppError({ code: "run_ended", message: `The run "${id}" has ended.` });
    const { status, conversationId } = await get(id);
    if (status !== "interrupted") throw ended;
    const claim = await claims.take(conversationId, 5);
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
  recover(): Promise<readonly LeftRun[]> {
    const { agents } = this.#options;
    if (this.#parts.stores.storage.hosts !== undefined) return this.#inTurn(() => this.#takeRuns(undefined));
    return this.#noted(recoverRuns(this.#parts, agents));
  }

  async #noted(recovered: Promise<readonly LeftRun[]>): Promise<readonly LeftRun[]> {
    const left = await recovered;
    for (const { run } of left) this.note(run);
    return left;
  }

  /** Conversations that hosts which are gone had worked in. */
  takeFrom(conversationIds: readonly string[]): Promise<readonly LeftRun[]> {
    return this.#inTurn(async () => {
      const left = await this.#takeRuns(new Set(conversationIds));
      for (const id of conversationIds) {
        const claim = await this.#options.claims.takeIfFree(id);
        claim?.release();
        await claim?.released;
      }
      return left;
    }).catch((error: unknown) => {
      this.#parts.log.warn({ error }, "runs of another host could not be taken over");
      return [];
    });
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

  async #takeRuns(among: ReadonlySet<string> | undefined): Promise<readonly LeftRun[]> {
    const { runs } = this.#parts.stores;
    const found = await runs.find({ status: { in: open } }, { order: "createdAt", limit: 100_000 });
    const all = found.filter(({ id }) => !this.#options.isAtWork(id));
    const ids = new Set(all.map(({ id }) => id));
    const isTop = ({ parentRunId, conversationId }: StoredRun): boolean =>
      !ids.has(parentRunId ?? "") && (among?.has(conversationId) ?? true);
    const left: LeftRun[] = [];
    for (const top of all.filter(isTop))
      if (await this.#isHere(top)) left.push(...(await this.#take(below(all, top))));
    return left;
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

  /** A run and those below it, in one piece or not at all. */
  async #take(tree: readonly StoredRun[]): Promise<readonly LeftRun[]> {
    const { agents, claims } = this.#options;
    const taken: Claim[] = [];
    try {
      for (const { conversationId } of tree) {
        const claim = await claims.takeIfFree(conversationId);
        if (claim === undefined) return [];
        taken.push(claim);
      }
      const ids = new Set(tree.map(({ id }) => id));
      const fences = new Map(tree.map(({ id }, at) => [id, taken[at]?.fence]));
      const own = {
        isOurs: ({ id }: StoredRun) => ids.has(id),
        fenceOf: ({ id }: StoredRun): Fence | undefined => fences.get(id),
      };
      return await this.#noted(recoverRuns(this.#parts, agents, own));
    } catch (error) {
      // Another host was faster, while this one was out of reach.
      if (isFenced(error)) return [];
      throw error;
    } finally {
      for (const claim of taken) claim.release();
      await Promise.all(taken.map(({ released }) => released));
    }
  }
}

function below(all: readonly StoredRun[], top: StoredRun): readonly StoredRun[] {
  const children = all.filter(({ parentRunId }) => parentRunId === top.id);
  return [top, ...children.flatMap((child) => below(all, child))];
}
