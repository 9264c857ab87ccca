import { newId, type Files, type Write } from "@pergola/sdk";
import type { Fence, FileState, OwnName, Parts } from "@pergola/sdk/host";
import type { Contents } from "./contents.ts";
import { isSame, see } from "./file-states.ts";
import { uncounted, type LineCounts } from "./line-counter.ts";
import { names, type Owner, type Records, type StoredChange } from "./records.ts";

/** A change that is about to be made, or that a program has made. */
export interface Draft {
  readonly path: string;
  readonly from?: string;
  readonly kind: StoredChange["kind"];
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** What stood there before. */
  readonly bytes?: Uint8Array | undefined;
  readonly undoes?: readonly string[];
  readonly lost?: string;
  readonly lines?: LineCounts;
}

type Made = Pick<StoredChange, "state" | "byProgram" | "maker">;

/** A kind by what was there and what is there. */
export function kindOf(before: FileState | null, after: FileState | null): Draft["kind"] {
  if (before === null) return "created";
  if (after === null) return "deleted";
  return "modified";
}

export const tooLarge = "It is larger than changes.max_file_bytes, so its content was not kept.";
const unread = "It is larger than changes.max_file_bytes, so nobody can tell whether it has changed since.";

function lostOf({ kind, before, after, bytes, lost }: Draft): string | null {
  if (lost !== undefined) return lost;
  if (kind === "renamed") return null;
  if (before?.kind === "link") return "It was a link, which cannot be put back.";
  if (before?.kind === "file" && bytes === undefined) return tooLarge;
  if (after?.kind === "file" && after.sha256 === null) return unread;
  return null;
}

const writeOf = (put: StoredChange): Write => ({ collection: names.changes, put });
const removalOf = ({ id }: StoredChange): Write => ({ collection: names.changes, delete: id });

/** What a change left, with the mode that it has on the disk where the change did not set one. */
async function withMode({ path, after }: StoredChange, files: Files): Promise<FileState | null> {
  if (after === null) return null;
  const found = await files.stat(path);
  return { ...after, mode: after.mode ?? found?.mode ?? null };
}

/** Records changes: what is about to happen before it happens, what it came to afterwards. */
export class Journal {
  readonly records: Records;
  readonly contents: Contents;
  /** Are told of each change that a call has made. */
  readonly listeners = new Set<(change: StoredChange) => void>();
  readonly #parts: Parts;
  readonly #makers: OwnName;
  readonly #underWay = new Set<string>();
  #seq = 0;

  constructor(parts: Parts, records: Records, contents: Contents, makers: OwnName) {
    this.#parts = parts;
    this.#makers = makers;
    this.records = records;
    this.contents = contents;
  }

  get limit(): number {
    return this.#parts.preferences.get<number>("changes.max_file_bytes");
  }

  nextSeq(): number {
    return (this.#seq = Math.max(this.#seq + 1, this.#parts.clock.now() * 1000));
  }

  /**
   * Does the work, whose changes are durably recorded before it begins. What fails is looked at: what did not
   * happen is forgotten.
   */
  async around<T>(owner: Owner, files: Files, drafts: readonly Draft[], work: () => Promise<T>): Promise<T> {
    const fence = await this.#makers.own();
    const more = { state: "pending", byProgram: false, maker: fence?.name ?? null } as const;
    const pending = drafts.map((draft) => this.#make(owner, draft, more));
    for (const { id } of pending) this.#underWay.add(id);
    try {
      await this.#store(drafts, pending, fence);
      const done = await work().catch(async (error: unknown) => {
        for (const one of pending)
          await this.#settle(one, files, fence).catch((cause: unknown) => this.#warn(cause));
        throw error;
      });
      await this.#complete(pending, files, fence).catch((error: unknown) => this.#warn(error));
      return done;
    } finally {
      for (const { id } of pending) this.#underWay.delete(id);
    }
  }

  /** Records what a program has done. */
  async note(owner: Owner, drafts: readonly Draft[]): Promise<void> {
    const more = { state: "done", byProgram: true, maker: null } as const;
    const done = drafts.map((draft) => this.#make(owner, draft, more));
    await this.#store(drafts, done);
  }

  /** Says that something may be missing in the list. */
  async gap(owner: Owner, reason: string): Promise<void> {
    const put = {
      ...owner,
      id: newId.change(),
      reason,
      seq: this.nextSeq(),
      at: this.#parts.timestamp(),
    };
    await this.records.gaps.put(put);
  }

  /**
   * A change that was cut: whether it happened is seen from what is there. One that is still being made, here
   * or at another host, is left as it is.
   */
  async settle(change: StoredChange, files: Files): Promise<StoredChange | undefined> {
    if (change.state === "done" || this.#underWay.has(change.id)) return change;
    const { state, maker = null } = change;
    if (state === "pending" && !(await this.#makers.isGone(maker))) return change;
    // The host that made it may have told of its end meanwhile.
    const now = maker === null ? change : await this.records.changes.get(change.id);
    return now === undefined || now.state === "done" ? now : this.#settle(now, files);
  }

  async #settle(change: StoredChange, files: Files, fence?: Fence): Promise<StoredChange | undefined> {
    const { commit } = this.#parts.stores;
    const happened = await this.#happened(change, files);
    if (happened === true) return (await this.#complete([change], files, fence))[0];
    if (happened === false) {
      await commit([removalOf(change)], { fence });
      if (change.contentId !== null) await this.contents.sweep([change.contentId]);
      return undefined;
    }
    const uncertain: StoredChange = { ...change, state: "uncertain" };
    await commit([writeOf(uncertain)], { fence });
    return uncertain;
  }

  /**
   * undefined where what is there is neither what was nor what was to be. A renamed file is where it was, or
   * is not.
   */
  async #happened({ path, from, before, after }: StoredChange, files: Files): Promise<boolean | undefined> {
    const seen = await see(files, from ?? path, this.limit).catch(() => undefined);
    if (seen === undefined) return undefined;
    if (from !== null) return seen.state === null;
    if (isSame(seen.state, after)) return true;
    if (isSame(seen.state, before)) return false;
    return undefined;
  }

  /** The writes by which a change counts as taken back, or counts again; what it took back itself follows. */
  async marks(ids: readonly string[], by: string | null): Promise<readonly Write[]> {
    const writes: Write[] = [];
    for (const id of ids) {
      const found = await this.records.changes.get(id);
      if (found === undefined) continue;
      writes.push(
        writeOf({ ...found, revertedBy: by }),
        ...(await this.marks(found.undoes, by === null ? found.ownerId : null)),
      );
    }
    return writes;
  }

  #make(owner: Owner, draft: Draft, more: Made): StoredChange {
    const { path, from = null, kind, before, after, bytes, undoes = [], lines = uncounted } = draft;
    const id = newId.change();
    return {
      ...owner,
      ...more,
      ...lines,
      path,
      from,
      kind,
      before,
      after,
      undoes,
      contentId: this.contents.idOf(bytes, id),
      lost: lostOf(draft),
      revertedBy: null,
      id,
      seq: this.nextSeq(),
      at: this.#parts.timestamp(),
    };
  }

  /** Stores the records together with the promise of their contents, and then these. */
  async #store(drafts: readonly Draft[], changes: readonly StoredChange[], fence?: Fence): Promise<void> {
    const contents = changes.flatMap(({ contentId }, index) => {
      const bytes = drafts[index]?.bytes;
      return contentId === null || bytes === undefined ? [] : [{ id: contentId, bytes }];
    });
    for (const { id } of contents) this.contents.hold(id);
    try {
      const promises = new Map(contents.map((one) => [one.id, one]));
      const writes = await Promise.all(
        [...promises.values()].map(({ id, bytes }) => this.contents.promise(id, bytes)),
      );
      await this.#parts.stores.commit([...writes.flat(), ...changes.map(writeOf)], { fence });
      for (const { id, bytes } of promises.values()) await this.contents.put(id, bytes);
    } catch (error) {
      if (changes.some(({ state }) => state === "pending"))
        await this.#parts.stores.commit(changes.map(removalOf), { fence }).catch(() => undefined);
      throw error;
    } finally {
      for (const { id } of contents) this.contents.release(id);
    }
  }

  async #complete(
    changes: readonly StoredChange[],
    files: Files,
    fence?: Fence,
  ): Promise<readonly StoredChange[]> {
    const done: StoredChange[] = [];
    for (const change of changes)
      done.push({ ...change, after: await withMode(change, files), state: "done" });
    const marks = await Promise.all(done.map(({ undoes, ownerId }) => this.marks(undoes, ownerId)));
    await this.#parts.stores.commit([...done.map(writeOf), ...marks.flat()], { fence });
    for (const change of done) for (const listener of this.listeners) listener(change);
    return done;
  }

  #warn(error: unknown): void {
    this.#parts.log.warn({ error }, "what became of a change of a file could not be recorded");
  }
}
