import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { deferred } from "./deferred.ts";
import type { RunInProgress } from "./run-in-progress.ts";

export interface Claim {
  run: RunInProgress | undefined;
  /** Somebody wants the conversation for itself: a run that starts in it is cancelled. */
  isUnwanted: boolean;
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** One run at a time in a conversation, and so many at a time on this host; whoever comes waits in turn. */
export class Claims {
  readonly #parts: Parts;
  readonly #claims = new Map<string, Claim>();
  readonly #waiting: { readonly go: () => void; readonly signal: AbortSignal }[] = [];
  #busy = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  runIn(conversationId: string): RunInProgress | undefined {
    return this.#of(conversationId)?.run;
  }

  /**
   * Rejects with `conversation_busy` after `seconds`, and with `approval_pending` at once when the run waits
   * for the person.
   */
  async take(conversationId: string, seconds: number): Promise<Claim> {
    const until = performance.now() + seconds * 1000;
    for (let other = this.#of(conversationId); other !== undefined; other = this.#of(conversationId)) {
      const [toolCallId] = other.run?.pending ?? [];
      if (toolCallId !== undefined) {
        throw new AppError({
          code: "approval_pending",
          message: "The conversation's run waits for an answer of the person.",
          details: { toolCallId },
        });
      }
      const left = until - performance.now();
      if (left <= 0)
        throw new AppError({
          code: "conversation_busy",
          message: "Another run is active in this conversation. Try again when it has ended.",
          retryAfter: 1,
        });
      await waitFor(other.released, left);
    }
    return this.#claim(conversationId);
  }

  /** Takes a conversation at once: whoever works in it is cancelled. */
  async seize(conversationId: string): Promise<Claim> {
    for (let other = this.#of(conversationId); other !== undefined; other = this.#of(conversationId)) {
      other.isUnwanted = true;
      other.run?.cancel();
      await other.released;
    }
    return this.#claim(conversationId);
  }

  #of(conversationId: string): Claim | undefined {
    return this.#claims.get(conversationId);
  }

  #claim(conversationId: string): Claim {
    const released = deferred<void>();
    const claim: Claim = {
      run: undefined,
      isUnwanted: false,
      released: released.promise,
      release: () => {
        this.#claims.delete(conversationId);
        released.resolve();
      },
    };
    this.#claims.set(conversationId, claim);
    return claim;
  }

  /**
   * Waits for one of `runs.max_parallel` places; resolves to the function that gives it back. A cancelled run
   * need not wait.
   */
  async slot(signal: AbortSignal): Promise<() => void> {
    if (this.#busy >= this.#parts.preferences.get<number>("runs.max_parallel")) {
      await new Promise<void>((go) => {
        this.#waiting.push({ go, signal });
        signal.addEventListener("abort", () => go(), { once: true });
      });
    }
    this.#busy += 1;
    return () => {
      this.#busy -= 1;
      while (this.#waiting[0]?.signal.aborted === true) this.#waiting.shift();
      if (this.#busy < this.#parts.preferences.get<number>("runs.max_parallel")) this.#waiting.shift()?.go();
    };
  }
}

async function waitFor(promise: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
