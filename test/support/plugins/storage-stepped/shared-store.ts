import { AppError, type Fence, type Write } from "@pergola/sdk";
import { toolContext } from "@pergola/sdk/testing";
import { MemoryStorage } from "../../../../plugins/storage-memory/memory-storage.ts";
import { SteppedHost } from "./stepped-host.ts";

interface Claim {
  readonly host: SteppedHost;
  readonly number: number;
}

/** A write of one host that touches what belongs to a conversation. */
export interface Written {
  readonly host: string;
  readonly write: Write;
  /** Another host has taken the conversation since this one had it. */
  readonly isLate: boolean;
}

/** What several hosts share: records in memory, and which of them has which name. */
class SharedStore {
  readonly hosts = new Map<string, SteppedHost>();
  readonly written: Written[] = [];
  readonly #claims = new Map<string, Claim>();
  /** The host that has had a name last. */
  readonly #last = new Map<string, SteppedHost>();
  records = new MemoryStorage(toolContext().log);
  #number = 0;

  /** Forgets everything; hosts that are open must be closed by then. */
  reset(): void {
    this.hosts.clear();
    this.written.length = 0;
    this.#claims.clear();
    this.#last.clear();
    this.records = new MemoryStorage(toolContext().log);
  }

  open(label: string): SteppedHost {
    const host = new SteppedHost(this, label);
    this.hosts.set(label, host);
    return host;
  }

  take(host: SteppedHost, name: string): Fence | undefined {
    const claim = this.#claims.get(name);
    if (claim !== undefined && (claim.host === host || claim.host.isThere)) return undefined;
    this.#number += 1;
    this.#claims.set(name, { host, number: this.#number });
    this.#last.set(name, host);
    return { name, number: String(this.#number) };
  }

  release({ name, number }: Fence): void {
    if (this.holds({ name, number })) this.#claims.delete(name);
  }

  holds({ name, number }: Fence): boolean {
    return String(this.#claims.get(name)?.number) === number;
  }

  holder(name: string): SteppedHost | undefined {
    const host = this.#claims.get(name)?.host;
    return host?.isThere === true ? host : undefined;
  }

  /** The names that a host has, or the storage believes that it has. */
  namesOf(host: SteppedHost): readonly string[] {
    return [...this.#claims].filter(([, claim]) => claim.host === host).map(([name]) => name);
  }

  /** Names of hosts that are gone. */
  get abandoned(): readonly string[] {
    return [...this.#claims].filter(([, { host }]) => !host.isThere).map(([name]) => name);
  }

  async commit(host: SteppedHost, writes: readonly Write[], fence?: Fence): Promise<void> {
    if (fence !== undefined && !this.holds(fence)) {
      const message = "Another host has taken this over.";
      throw new AppError({ code: "conflict", message, details: { fence: fence.name } });
    }
    await this.records.commit(writes);
    for (const write of writes) {
      const id = conversationOf(write);
      const last = this.#last.get(`conversation/${id}`);
      if (id !== undefined)
        this.written.push({ host: host.label, write, isLate: last !== undefined && last !== host });
    }
  }
}

/** Whose record it is. */
function conversationOf(write: Write): string | undefined {
  if (!("put" in write)) return undefined;
  const { id, conversationId } = write.put as { readonly id: string; readonly conversationId?: string };
  return write.collection === "conversations" ? id : conversationId;
}

const key = Symbol.for("pergola.test.shared-store");

/** One for the process, by whichever loader this file is loaded. */
export const shared = ((globalThis as { [key]?: SharedStore })[key] ??= new SharedStore());
export type { SharedStore };
