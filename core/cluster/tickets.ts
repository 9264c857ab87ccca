import { randomBytes } from "node:crypto";
import type { Caller, Clock, Collection, Storage } from "@pergola/sdk";
import type { Peer } from "../http/peer.ts";

/** Milliseconds for which a ticket is good; the clocks of hosts may differ by less. */
const longestLife = 300_000;

/** Who has sent a request, as the host that let it in knows. */
export interface Admitted {
  readonly caller: Caller;
  readonly peer: Peer;
}

/** What a ticket is good for. */
export interface TicketUse {
  /** The id of the address of the host that is to take it. */
  readonly target: string;
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
}

interface StoredTicket extends Admitted, TicketUse {
  readonly id: string;
  /** Milliseconds since 1970, by the clock of the host that made it. */
  readonly madeAt: number;
}

/**
 * What lets a request of another host in: a random text that stands in the shared storage, where only hosts
 * write. It is good for one request, at one host.
 */
export class Tickets {
  readonly #tickets: Collection<StoredTicket>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#tickets = storage.collection("cluster/tickets", { indexes: ["madeAt"] });
    this.#clock = clock;
  }

  async make(admitted: Admitted, use: TicketUse): Promise<string> {
    const id = randomBytes(32).toString("base64url");
    await this.#tickets.put({ ...admitted, ...use, id, madeAt: this.#clock.now() });
    return id;
  }

  /** Undefined for a ticket that is unknown, used, or for something else. */
  async take(id: string, use: TicketUse): Promise<Admitted | undefined> {
    const found = await this.#tickets.get(id);
    if (found === undefined) return undefined;
    const isMeant =
      found.target === use.target &&
      found.method === use.method &&
      found.url === use.url &&
      found.madeAt > this.#clock.now() - longestLife;
    if (!isMeant || !(await this.#tickets.delete(id))) return undefined;
    const { caller, peer } = found;
    return { caller, peer };
  }

  async withdraw(id: string): Promise<void> {
    await this.#tickets.delete(id);
  }

  /** Removes those of hosts that ended before theirs were used. */
  async removeOld(): Promise<void> {
    const old = await this.#tickets.find({ madeAt: { lt: this.#clock.now() - longestLife } });
    for (const { id } of old) await this.#tickets.delete(id);
  }
}
