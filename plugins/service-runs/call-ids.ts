import type { Fence } from "@pergola/sdk/host";
import type { OtherHosts } from "./other-hosts.ts";

/** Ids that the runs at work on this host have given to their calls: no other run has them, on any host. */
export class CallIds {
  readonly #others: OtherHosts;
  /** By the id: the run, and what keeps other hosts from the id, where there are several. */
  readonly #taken = new Map<string, { readonly runId: string; fence?: Fence }>();

  constructor(others: OtherHosts) {
    this.#others = others;
  }

  /**
   * Takes those of the ids that no run at work has, until the end of this one. What is stored by then is not
   * looked at. Rejects with AppError.
   */
  async take(runId: string, ids: readonly string[]): Promise<Set<string>> {
    const free = [...new Set(ids)].filter((id) => !this.#taken.has(id));
    for (const id of free) this.#taken.set(id, { runId });
    if (!this.#others.areThere) return new Set(free);
    const taken = await Promise.all(free.map(async (id) => ((await this.#takeAmongHosts(id)) ? id : [])));
    return new Set(taken.flat());
  }

  async #takeAmongHosts(id: string): Promise<boolean> {
    const fence = await this.#others.takeCall(id);
    const mine = this.#taken.get(id);
    if (fence === undefined) this.#taken.delete(id);
    else if (mine === undefined) await this.#others.release(fence);
    else mine.fence = fence;
    return fence !== undefined && mine !== undefined;
  }

  /** Gives back what a run has: its calls are stored, or came to nothing. */
  release(runId: string): void {
    for (const [id, taken] of this.#taken) {
      if (taken.runId !== runId) continue;
      this.#taken.delete(id);
      if (taken.fence !== undefined) void this.#others.release(taken.fence);
    }
  }
}
