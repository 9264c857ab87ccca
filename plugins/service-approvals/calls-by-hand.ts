import type { Fence, Parts, StoredApproval } from "@pergola/sdk/host";

interface Held {
  readonly toolCallId: string;
  readonly fence: Fence;
}

/**
 * Calls by hand that wait for the person, or run after the answer: where several hosts share a storage, each
 * is one host's, from before anybody can answer until its result is stored. Another may take it once that
 * host is gone.
 */
export class CallsByHand {
  readonly #parts: Pick<Parts, "stores">;
  /** By the ids of their approvals. */
  readonly #held = new Map<string, Held>();

  constructor(parts: Pick<Parts, "stores">) {
    this.#parts = parts;
  }

  /** False while another host has the call. Rejects with `storage_unavailable`. */
  async take({ id, toolCallId }: Pick<StoredApproval, "id" | "toolCallId">): Promise<boolean> {
    const { hosts } = this.#parts.stores.storage;
    if (hosts === undefined || this.#held.has(id)) return true;
    const fence = await hosts.take(`approval/${id}`);
    if (fence !== undefined) this.#held.set(id, { toolCallId, fence });
    return fence !== undefined;
  }

  fenceOf(toolCallId: string): Fence | undefined {
    return [...this.#held.values()].find((one) => one.toolCallId === toolCallId)?.fence;
  }

  /**
   * Stores what an approved call came to; it counts as begun no more. Its conversation may be gone by then.
   * Rejects with `conflict` where another host has taken it.
   */
  async end(id: string, result: StoredApproval["result"]): Promise<void> {
    const { approvals, commit } = this.#parts.stores;
    const found = await approvals.get(id);
    const writes = found && [
      { collection: "approvals", put: { ...found, result } },
      { collection: "calls", delete: found.toolCallId },
    ];
    if (writes !== undefined) await commit(writes, { fence: this.#held.get(id)?.fence });
    this.#release(id);
  }

  #release(id: string): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (held !== undefined) void this.#parts.stores.storage.hosts?.release(held.fence).catch(() => undefined);
  }
}
