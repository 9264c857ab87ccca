import { setTimeout } from "node:timers/promises";
import { AppError } from "@pergola/sdk";
import type { Fence, Parts } from "@pergola/sdk/host";
import { deferred } from "./deferred.ts";
import type { OtherHosts } from "./other-hosts.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** Milliseconds between two looks whether another host still works in a conversation. */
const lookAgain = 200;

/** Milliseconds that a claim is waited for whose work is done, by those who would not wait for the work. */
const leavePatience = 2000;

export interface Claim {
  run: RunInProgress | undefined;
  /** Somebody wants the conversation for itself: a run that starts in it is cancelled. */
  isUnwanted: boolean;
  /** It is being given back. */
  isEnding: boolean;
  /** The host stops, and another one is to go on with it. */
  isLeft: boolean;
  /** By which the commits of its run are known to be this host's, where there are several. */
  fence: Fence | undefined;
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** One run at a time in a conversation, on all hosts; whoever comes waits in turn. */
export class Claims {
  readonly #parts: Parts;
  readonly #others: OtherHosts;
  readonly #claims = new Map<string, Claim>();

  constructor(parts: Parts, others: OtherHosts) {
    this.#parts = parts;
    this.#others = others;
  }

  has(conversationId: string): boolean {
    return this.#of(conversationId) !== undefined;
  }

  runIn(conversationId: string): RunInProgress | undefined {
    return this.#of(conversationId)?.run;
  }

  fenceIn(conversationId: string): Fence | undefined {
    return this.#of(conversationId)?.fence;
  }

  /**
   * Rejects with `conversation_busy` after `seconds`, and with `approval_pending` at once when the run waits
   * for the person.
   */
  async take(conversationId: string, seconds: number): Promise<Claim> {
    const until = performance.now() + seconds * 1000;
    const leaving = performance.now() + leavePatience;
    for (let other = this.#of(conversationId); other !== undefined; other = this.#of(conversationId)) {
      refuseToWait(other.run?.pending ?? []);
      const left = Math.max(until, isLeaving(other) ? leaving : 0) - performance.now();
      if (left <= 0) throw busy();
      await waitFor(other.released, left);
    }
    return this.#takeAmongHosts(conversationId, async () => {
      refuseToWait(await this.#pendingElsewhere(conversationId));
      if (performance.now() >= until) throw busy();
    });
  }

  /** The same without waiting; undefined while somebody works in it. Rejects with `storage_unavailable`. */
  async takeIfFree(conversationId: string): Promise<Claim | undefined> {
    if (this.#of(conversationId) !== undefined) return undefined;
    const claim = this.#claim(conversationId);
    try {
      claim.fence = await this.#others.take(conversationId);
    } finally {
      if (claim.fence === undefined) claim.release();
    }
    return claim.fence && claim;
  }

  async #pendingElsewhere(conversationId: string): Promise<readonly string[]> {
    const [run] = await this.#parts.stores.runs.find({ status: "waiting", conversationId }, { limit: 1 });
    return run?.pendingToolCallIds ?? [];
  }

  /** Takes a conversation at once: whoever works in it is cancelled. */
  async seize(conversationId: string): Promise<Claim> {
    for (let other = this.#of(conversationId); other !== undefined; other = this.#of(conversationId)) {
      other.isUnwanted = true;
      other.run?.cancel();
      await other.released;
    }
    return this.#takeAmongHosts(conversationId, async () => {
      await this.#others.ask(conversationId, { kind: "leave" });
    });
  }

  /** Takes what is free at this host; `whileBusy` is called again and again while another has it. */
  async #takeAmongHosts(conversationId: string, whileBusy: () => Promise<void>): Promise<Claim> {
    const claim = this.#claim(conversationId);
    if (!this.#others.areThere) return claim;
    try {
      for (;;) {
        claim.fence = await this.#others.take(conversationId);
        if (claim.fence !== undefined) return claim;
        await whileBusy();
        await setTimeout(lookAgain);
      }
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  #of(conversationId: string): Claim | undefined {
    return this.#claims.get(conversationId);
  }

  #claim(conversationId: string): Claim {
    const released = deferred<void>();
    const claim: Claim = {
      run: undefined,
      isUnwanted: false,
      isEnding: false,
      isLeft: false,
      fence: undefined,
      released: released.promise,
      release: () => {
        claim.isEnding = true;
        void this.#free(conversationId, claim).then(() => released.resolve());
      },
    };
    this.#claims.set(conversationId, claim);
    return claim;
  }

  async #free(conversationId: string, { fence, isLeft }: Claim): Promise<void> {
    if (fence !== undefined && !isLeft) await this.#others.release(fence);
    this.#claims.delete(conversationId);
  }
}

/** Its client has the answer, and may send the next request before the storage knows. */
const isLeaving = ({ isEnding, run }: Claim): boolean => isEnding || run?.record.status === "ended";

const busy = (): AppError =>
  new AppError({
    code: "conversation_busy",
    message: "Another run is active in this conversation. Try again when it has ended.",
    retryAfter: 1,
  });

/** Who waits for the person may do so for days. */
function refuseToWait([toolCallId]: readonly string[]): void {
  if (toolCallId === undefined) return;
  throw new AppError({
    code: "approval_pending",
    message: "The conversation's run waits for an answer of the person.",
    details: { toolCallId },
  });
}

async function waitFor(promise: Promise<void>, milliseconds: number): Promise<void> {
  const waited = new AbortController();
  const late = setTimeout(milliseconds, undefined, { signal: waited.signal }).catch(() => undefined);
  await Promise.race([promise, late]);
  waited.abort();
}
