import { setTimeout } from "node:timers/promises";
import type { Fence, Parts } from "@pergola/sdk/host";
import type { OtherHosts } from "./other-hosts.ts";

/** Milliseconds between two looks for a place that another host has given back. */
const lookAgain = 250;

/** `runs.max_parallel` places for runs at work, on all hosts; whoever comes waits in turn. */
export class RunPlaces {
  readonly #parts: Parts;
  readonly #others: OtherHosts;
  readonly #waiting: { readonly go: () => void; readonly signal: AbortSignal }[] = [];
  #busy = 0;

  constructor(parts: Parts, others: OtherHosts) {
    this.#parts = parts;
    this.#others = others;
  }

  get #most(): number {
    return this.#parts.preferences.get<number>("runs.max_parallel");
  }

  /**
   * Waits for a place; resolves to the function that gives it back. A cancelled run need not wait.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#busy >= this.#most) {
      await new Promise<void>((go) => {
        this.#waiting.push({ go, signal });
        signal.addEventListener("abort", () => go(), { once: true });
      });
    }
    this.#busy += 1;
    const fence = this.#others.areThere ? await this.#takeAmongHosts(signal) : undefined;
    return () => {
      if (fence !== undefined) void this.#others.release(fence);
      this.#busy -= 1;
      while (this.#waiting[0]?.signal.aborted === true) this.#waiting.shift();
      if (this.#busy < this.#most) this.#waiting.shift()?.go();
    };
  }

  /** A storage that does not answer keeps no run from its end. */
  async #takeAmongHosts(signal: AbortSignal): Promise<Fence | undefined> {
    while (!signal.aborted) {
      const fence = await this.#others.takeOne("place/", this.#most).catch(() => null);
      if (fence === null) return undefined;
      if (fence !== undefined) return fence;
      await setTimeout(lookAgain, undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }
}
