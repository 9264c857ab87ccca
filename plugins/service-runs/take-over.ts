import { placeOf, type Parts, type StoredRun } from "@pergola/sdk/host";
import type { Agents } from "./agents.ts";
import type { Claim, Claims } from "./claims.ts";
import { recoverRuns, unfinished, type LeftRun } from "./recover-runs.ts";

interface TakeOverOptions {
  readonly agents: Agents;
  readonly claims: Claims;
  /** Whether this host works on the run. */
  readonly isAtWork: (runId: string) => boolean;
}

const open = [...unfinished, "interrupted"] as const;

/**
 * Settles runs that nobody works on any more: after a start, and where there are several hosts, what another
 * one has left. A run is taken with all runs below it, by the host that gets its conversation.
 */
export class TakeOver {
  readonly #parts: Parts;
  readonly #options: TakeOverOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, options: TakeOverOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** After a start: what the last stop has left, or other hosts that are gone. */
  recover(): Promise<readonly LeftRun[]> {
    const { agents } = this.#options;
    if (this.#parts.stores.storage.hosts === undefined) return recoverRuns(this.#parts, agents);
    return this.#inTurn(() => this.#takeRuns(undefined));
  }

  /** Conversations that hosts which are gone had worked in. */
  takeFrom(conversationIds: readonly string[]): Promise<readonly LeftRun[]> {
    return this.#inTurn(async () => {
      const left = await this.#takeRuns(new Set(conversationIds));
      for (const id of conversationIds) (await this.#options.claims.takeIfFree(id))?.release();
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
  async leftIn(conversationId: string): Promise<string | undefined> {
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
      return await recoverRuns(this.#parts, agents, ({ id }) => ids.has(id));
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
