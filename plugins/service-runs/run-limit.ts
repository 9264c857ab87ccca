import { AppError } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { OtherHosts } from "./other-hosts.ts";
import { RunShares } from "./run-shares.ts";

/** Seconds after which a refused client may ask again. */
const retryAfter = 5;

/**
 * At most `runs.max_parallel` runs at work and `runs.max_waiting` that wait for a place, on all hosts
 * together. A run counts from its request to its end; sub-agents do not count.
 */
export class RunLimit {
  readonly #preferences: Parts["preferences"];
  readonly #shares: RunShares | undefined;
  #count = 0;

  constructor({ preferences }: Parts, others: OtherHosts) {
    this.#preferences = preferences;
    if (others.areThere) this.#shares = new RunShares(others, () => this.#most);
  }

  get #most(): number {
    const preferences = this.#preferences;
    return preferences.get<number>("runs.max_parallel") + preferences.get<number>("runs.max_waiting");
  }

  /**
   * Counts a run until the function that it resolves to is called. Rejects with `too_many_runs` where there
   * are as many as there may be.
   */
  async enter(): Promise<() => void> {
    while (this.#count >= (this.#shares?.size ?? this.#most))
      if (!(await this.#shares?.grow())) throw this.#refusal();
    return this.enterAnyway();
  }

  /** The same for a run that was taken before: it is not refused. */
  enterAnyway(): () => void {
    this.#count += 1;
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.#count -= 1;
      hasLeft = true;
      this.#shares?.shrinkSoon(() => this.#count);
    };
  }

  #refusal(): AppError {
    const limit = this.#most;
    const message = `There are ${limit} runs at work and waiting, and there may be no more. Try again later.`;
    return new AppError({ code: "too_many_runs", message, retryAfter, details: { limit } });
  }
}
