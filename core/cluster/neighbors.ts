import { hostname } from "node:os";
import type { Collection, Log, Storage } from "@pergola/sdk";
import type { StorageHosts } from "@pergola/sdk/host";

/** The name that a host has for itself as long as it is there, before the id of its address. */
const prefix = "address/";

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
  #own: string | undefined;
  #end: (() => void) | undefined;

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
    await this.#addresses.put({ id, address, label: this.#hosts.label, computer: this.#computer });
    this.#own = id;
    await this.#take(prefix + id);
    this.#end = this.#hosts.watch({
      lost: (names) => names.includes(prefix + id) && void this.#take(prefix + id),
      abandoned: (names) => void this.#forget(names.filter((name) => name.startsWith(prefix))),
    });
  }

  close(): void {
    this.#end?.();
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

  async #take(name: string): Promise<void> {
    await this.#hosts.take(name).catch((error: unknown) => {
      this.#log.warn({ error }, "other hosts cannot hand requests on to this one");
    });
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
