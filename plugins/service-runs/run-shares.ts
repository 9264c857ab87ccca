import type { Fence } from "@pergola/sdk/host";
import type { OtherHosts } from "./other-hosts.ts";

const prefix = "share/";

/** In so many shares the hosts divide what they may have together; each host needs one to take any run. */
const mostShares = 64;

/** Milliseconds for which a host keeps a share that it does not need. */
const idleTime = 5000;

/**
 * This host's part of the runs that all hosts may have together. It takes shares as its runs become more, and
 * gives them back some time after they have become fewer, so that few runs ask the storage for anything. The
 * hosts never have more together than `most`; a host may find no share while another one does not use all of
 * its last.
 */
export class RunShares {
  readonly #others: OtherHosts;
  readonly #most: () => number;
  #held: readonly Fence[] = [];
  #growing: Promise<boolean> | undefined;
  #isShrinking = false;

  constructor(others: OtherHosts, most: () => number) {
    this.#others = others;
    this.#most = most;
    others.watchLost(prefix, (names) => {
      this.#held = this.#held.filter(({ name }) => !names.includes(name));
    });
  }

  /** How many runs this host may have. */
  get size(): number {
    return this.#held.reduce((sum, share) => sum + this.#sizeOf(share), 0);
  }

  get #count(): number {
    return Math.min(mostShares, this.#most());
  }

  /** Shares differ by one where they do not divide evenly. */
  #sizeOf({ name }: Fence): number {
    const at = Number(name.slice(prefix.length));
    const upTo = (share: number): number => Math.floor((share * this.#most()) / this.#count);
    return at < this.#count ? upTo(at + 1) - upTo(at) : 0;
  }

  /** Takes another share; false where none is free. Who asks meanwhile gets the same answer. */
  async grow(): Promise<boolean> {
    this.#growing ??= this.#take().finally(() => (this.#growing = undefined));
    return this.#growing;
  }

  async #take(): Promise<boolean> {
    const share = await this.#others.takeOne(prefix, this.#count);
    if (share === undefined) return false;
    this.#held = [...this.#held, share];
    return true;
  }

  /** Gives back, after a while, what so many runs do not need. */
  shrinkSoon(needed: () => number): void {
    if (this.#isShrinking) return;
    this.#isShrinking = true;
    setTimeout(() => {
      this.#isShrinking = false;
      this.#shrink(needed());
    }, idleTime).unref();
  }

  #shrink(needed: number): void {
    for (const share of this.#held.toReversed()) {
      if (this.size - this.#sizeOf(share) < needed) return;
      this.#held = this.#held.filter((one) => one !== share);
      void this.#others.release(share);
    }
  }
}
