import type { FileState } from "@pergola/sdk/host";
import type { Owner } from "../records.ts";
import type { Snapshot } from "./snapshot.ts";

/** What the watch of one call needs of those of all calls. */
export interface Watching {
  look(watch: ProgramWatch): Promise<Snapshot>;
  compare(watch: ProgramWatch, before: Snapshot): Promise<void>;
  forget(watch: ProgramWatch): void;
}

/** Looks at the folders in which a call runs programs, before the first of them and after the last. */
export class ProgramWatch {
  readonly callId: string;
  readonly owner: Owner;
  /** Real paths of folders. */
  readonly roots: readonly string[];
  /** What calls have left at paths meanwhile. */
  readonly recorded = new Map<string, FileState | null>();
  /** Another call ran programs in the same folders. */
  shared = false;
  readonly #watching: Watching;
  #before: Promise<Snapshot | undefined> | undefined;

  constructor(callId: string, owner: Owner, roots: readonly string[], watching: Watching) {
    this.callId = callId;
    this.owner = owner;
    this.roots = roots;
    this.#watching = watching;
  }

  /** The first time it looks; never rejects. */
  async begin(): Promise<void> {
    this.#before ??= this.#watching.look(this).catch(() => undefined);
    await this.#before;
  }

  async end(): Promise<void> {
    const before = await this.#before;
    if (before !== undefined) await this.#watching.compare(this, before);
    if (this.#before !== undefined) this.#watching.forget(this);
  }
}
