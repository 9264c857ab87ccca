import path from "node:path";
import { isBelow } from "@pergola/sdk";
import type { Parts, RecordedCall } from "@pergola/sdk/host";
import type { Journal } from "../journal.ts";
import type { Owner, StoredChange } from "../records.ts";
import { CutCalls } from "./cut-calls.ts";
import { findChanges } from "./find-changes.ts";
import { ProgramWatch, type Watching } from "./program-watch.ts";
import { Shadow } from "./shadow.ts";
import { lookAt, takeSnapshot, type Bounds, type Snapshot } from "./snapshot.ts";

/** Milliseconds that one look may take, and changes that are stored at once. */
const [time, atOnce] = [5000, 200];

const sharedGap =
  "Another call ran programs in the same folder at the same time; whose change it was is not known.";
const cutGap =
  "The service was stopped while a program ran; what others have changed until its next start is listed too.";

/** Finds what programs have changed in the folders where calls run them: they write past the door. */
export class Programs implements Watching {
  readonly #parts: Parts;
  readonly #journal: Journal;
  readonly #shadow: Shadow;
  readonly #cut: CutCalls;
  readonly #open = new Set<ProgramWatch>();

  constructor(parts: Parts, journal: Journal) {
    this.#parts = parts;
    this.#journal = journal;
    const folder = path.join(parts.dataDirectory, "changes");
    this.#shadow = new Shadow(path.join(folder, "contents"));
    this.#cut = new CutCalls(path.join(folder, "calls"));
    journal.listeners.add((change) => this.#recorded(change));
  }

  /** undefined for a call that runs none, or changes nothing. */
  watch(
    { callId, effect, programs, workingDirectory, paths }: RecordedCall,
    owner: Owner,
  ): ProgramWatch | undefined {
    const isWatched = effect !== "none" && effect !== "read" && programs !== "none";
    if (!isWatched || !this.#parts.preferences.get<boolean>("changes.programs")) return undefined;
    const folders = [this.#parts.doors.resolve(".", workingDirectory).real, ...paths].filter((one) =>
      lookAt(one)?.isDirectory(),
    );
    const roots = folders.filter(
      (one, at) => !folders.some((other, place) => isBelow(other, one) && (other !== one || place < at)),
    );
    return new ProgramWatch(callId, owner, roots, this);
  }

  async look(watch: ProgramWatch): Promise<Snapshot> {
    for (const other of this.#open)
      if (watch.roots.some((root) => other.roots.some((one) => isBelow(one, root) || isBelow(root, one))))
        watch.shared = other.shared = true;
    if (this.#open.size === 0) this.#shadow.trim();
    this.#open.add(watch);
    try {
      const before = await takeSnapshot(watch.roots, this.#bounds);
      const partly = await this.#shadow.keep(before, this.#journal.limit);
      const whole = { ...before, gap: before.gap ?? partly };
      this.#cut.note({ callId: watch.callId, owner: watch.owner, roots: watch.roots, before: whole });
      return whole;
    } catch (error) {
      await this.#missed(watch.owner, error);
      throw error;
    }
  }

  async compare(watch: ProgramWatch, before: Snapshot): Promise<void> {
    try {
      const after = await takeSnapshot(watch.roots, this.#bounds);
      await this.#note(watch, before, after);
      for (const reason of [before.gap ?? after.gap, watch.shared ? sharedGap : undefined])
        if (reason !== undefined) await this.#journal.gap(watch.owner, reason);
    } catch (error) {
      await this.#missed(watch.owner, error);
    }
  }

  forget(watch: ProgramWatch): void {
    this.#open.delete(watch);
    this.#cut.forget(watch.callId);
  }

  /** Programs that ran when the service was cut may have changed something, too. */
  async recover(): Promise<void> {
    for (const { callId, owner, roots, before } of this.#cut.leftovers()) {
      const watch = new ProgramWatch(callId, owner, roots, this);
      await this.compare(watch, before);
      await this.#journal.gap(owner, cutGap).catch(() => undefined);
      this.#cut.forget(callId);
    }
    this.#shadow.clear();
  }

  async #note({ owner, recorded }: ProgramWatch, before: Snapshot, after: Snapshot): Promise<void> {
    const drafts = await findChanges({
      before,
      after,
      shadow: this.#shadow,
      limit: this.#journal.limit,
      recorded,
    });
    for (let from = 0; from < drafts.length; from += atOnce)
      await this.#journal.note(owner, drafts.slice(from, from + atOnce));
  }

  get #bounds(): Bounds {
    return {
      most: this.#parts.preferences.get<number>("changes.max_files"),
      time,
      dataDirectory: this.#parts.dataDirectory,
    };
  }

  #recorded({ path: at, from, after }: StoredChange): void {
    for (const { recorded } of this.#open) {
      recorded.set(at, after);
      if (from !== null) recorded.set(from, null);
    }
  }

  async #missed(owner: Owner, error: unknown): Promise<void> {
    this.#parts.log.warn({ error }, "what a program has changed could not be recorded");
    await this.#journal
      .gap(owner, "What programs changed could not be recorded; the service's log has the details.")
      .catch(() => undefined);
  }
}
