import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Collection, Log, Storage } from "@pergola/sdk";
import type { StorageHosts } from "@pergola/sdk/host";

/** The name that a host has for itself as long as it is there, before the id of its address. */
const prefix = "address/";

/** Milliseconds until the next try to announce an address again. */
const retryInterval = 500;

const loopback = /^https?:\/\/(?:127\.|\[::1\]|localhost[:/])/;

/** Another host, and where it listens for this one. */
export interface Neighbor {
  readonly id: string;
  readonly label: string;
  /** A URL without a path. */
  readonly address: string;
}

interface StoredAddress extends Neighbor {
  /** The name of its computer: a loopback address is for those on the same one. */
  readonly computer: string;
}

/** The hosts that share the storage, by the addresses under which they reach each other. */
export class Neighbors {
  readonly #hosts: StorageHosts;
  readonly #log: Log;
  readonly #addresses: Collection<StoredAddress>;
  readonly #computer = hostname();
  readonly #closed = new AbortController();
  #own: string | undefined;

  constructor(storage: Storage, hosts: StorageHosts, log: Log) {
    this.#hosts = hosts;
    this.#log = log;
    this.#addresses = storage.collection("cluster/addresses", { indexes: ["label"] });
  }

  /** The id of this host's address; undefined before `announce`. */
  get own(): string | undefined {
    return this.#own;
  }

  /** Tells the others where this host listens, for as long as it is there. */
  async announce(address: string): Promise<void> {
    const id = `${this.#computer} ${address}`;
    const record = { id, address, label: this.#hosts.label, computer: this.#computer };
    this.#own = id;
    if (!(await this.#enter(record))) void this.#enterAgain(record);
    const endWatch = this.#hosts.watch({
      lost: (names) => names.includes(prefix + id) && void this.#enterAgain(record),
      abandoned: (names) => void this.#forget(names.filter((name) => name.startsWith(prefix))),
    });
    this.#closed.signal.addEventListener("abort", endWatch, { once: true });
  }

  close(): void {
    this.#closed.abort();
  }

  /** A host with this label that is there and that this one can reach. */
  async find(label: string): Promise<Neighbor | undefined> {
    const all = await this.#addresses.find({ label });
    const usable = all.filter(
      ({ id, address, computer }) =>
        id !== this.#own && (computer === this.#computer || !loopback.test(address)),
    );
    const there = await this.#hosts.holders(usable.map(({ id }) => prefix + id));
    return usable.find(({ id }) => there.has(prefix + id));
  }

  async isThere({ id }: Neighbor): Promise<boolean> {
    return (await this.#hosts.holders([prefix + id])).size > 0;
  }

  /** False while another host still has the name: as what this one was before, or to remove what it left. */
  async #enter(record: StoredAddress): Promise<boolean> {
    try {
      if ((await this.#hosts.take(prefix + record.id)) === undefined) return false;
      await this.#addresses.put(record);
      return true;
    } catch (error) {
      this.#log.debug({ error }, "the address of this host could not be announced");
      return false;
    }
  }

  async #enterAgain(record: StoredAddress): Promise<void> {
    const { signal } = this.#closed;
    do await setTimeout(retryInterval, undefined, { signal, ref: false }).catch(() => undefined);
    while (!signal.aborted && !(await this.#enter(record)));
  }

  async #forget(names: readonly string[]): Promise<void> {
    try {
      for (const name of names) {
        const fence = await this.#hosts.take(name);
        if (fence === undefined) continue;
        await this.#addresses.delete(name.slice(prefix.length));
        await this.#hosts.release(fence);
      }
    } catch (error) {
      this.#log.debug({ error }, "the address of a host that is gone could not be removed");
    }
  }
}
