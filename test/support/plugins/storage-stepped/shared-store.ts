import type { Storage, Write } from "@pergola/sdk";
import { SharedMemory } from "./shared-memory.ts";
import { SteppedHost, type Way } from "./stepped-host.ts";

/** A write of one host that touches what belongs to a conversation. */
interface Written {
  readonly host: string;
  readonly write: Write;
  /** Another host has taken the conversation since this one had it. */
  readonly isLate: boolean;
}

/** The hosts of a test, what they share, and what they have written. */
class SharedStore {
  readonly hosts = new Map<string, SteppedHost>();
  readonly written: Written[] = [];
  /** The host that has had a name last. */
  readonly #last = new Map<string, SteppedHost>();
  /** Names that a host has. */
  readonly #held = new Set<string>();
  /** A host's way to what is shared; by default records in memory. */
  open!: (label: string) => Way | Promise<Way>;
  /** What is shared, as no host sees it. */
  records!: Storage;

  /** Forgets everything; hosts that are open must be closed by then. */
  reset(): void {
    const memory = new SharedMemory();
    this.hosts.clear();
    this.written.length = 0;
    this.#last.clear();
    this.#held.clear();
    this.records = memory.records;
    this.open = (label) => memory.open(label);
  }

  async addHost(label: string): Promise<SteppedHost> {
    const host = new SteppedHost(this, label, await this.open(label));
    this.hosts.set(label, host);
    return host;
  }

  noteTaken(name: string, host: SteppedHost): void {
    this.#last.set(name, host);
    this.#held.add(name);
  }

  noteReleased(name: string, host: SteppedHost): void {
    if (this.#last.get(name) === host) this.#held.delete(name);
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  noteWritten(host: SteppedHost, write: Write): void {
    const id = conversationOf(write);
    const last = this.#last.get(`conversation/${id}`);
    if (id !== undefined)
      this.written.push({ host: host.label, write, isLate: last !== undefined && last !== host });
  }
}

/** Whose record it is. */
function conversationOf(write: Write): string | undefined {
  if (!("put" in write)) return undefined;
  const { id, conversationId, scope } = write.put as {
    readonly id: string;
    readonly conversationId?: string;
    readonly scope?: string;
  };
  return write.collection === "conversations" ? id : (conversationId ?? scope);
}

const key = Symbol.for("pergola.test.shared-store");

/** One for the process, by whichever loader this file is loaded. */
export const shared = ((globalThis as { [key]?: SharedStore })[key] ??= new SharedStore());
export type { SharedStore };
