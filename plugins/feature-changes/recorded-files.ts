import { readFile } from "node:fs/promises";
import type { CheckedPath, FileChange, FileInfo, Files } from "@pergola/sdk";
import type { FileState, RestoredFile, RestoringFiles } from "@pergola/sdk/host";
import { fileOf, folder, isSame, missingAbove, see, type Seen } from "./file-states.ts";
import { kindOf, type Draft, type Journal } from "./journal.ts";
import { largestCounted, LineCounter, noLines, patience, uncounted } from "./line-counter.ts";
import { placeOf } from "./place-of.ts";
import type { Owner } from "./records.ts";

/** The bytes of a content whose lines can be counted. */
async function bytesOf(content: RestoredFile["content"]): Promise<Pick<Seen, "bytes">> {
  if (content === undefined) return {};
  if (typeof content === "string") return { bytes: Buffer.from(content) };
  if (content instanceof Uint8Array) return { bytes: content };
  return content.size > largestCounted ? {} : { bytes: await readFile(content.file) };
}

/**
 * A door's files, which are changed only when the change is recorded. What is not changed is not recorded.
 */
export class RecordedFiles implements RestoringFiles {
  readonly #files: RestoringFiles;
  readonly #journal: Journal;
  readonly #owner: Owner;
  /** Of a revert: the changes that a change of a path takes back. */
  readonly #undone: ReadonlyMap<string, readonly string[]>;

  constructor(
    files: RestoringFiles,
    journal: Journal,
    owner: Owner,
    undone: ReadonlyMap<string, readonly string[]> = new Map(),
  ) {
    this.#files = files;
    this.#journal = journal;
    this.#owner = owner;
    this.#undone = undone;
  }

  resolve = (file: string): Promise<CheckedPath> => this.#files.resolve(file);
  stat = (file: string): Promise<FileInfo | undefined> => this.#files.stat(file);
  read = (...args: Parameters<Files["read"]>): Promise<Uint8Array> => this.#files.read(...args);
  readText = (file: string): Promise<string> => this.#files.readText(file);
  list = (file: string): Promise<readonly FileInfo[]> => this.#files.list(file);

  async write(...[file, content, options]: Parameters<Files["write"]>): ReturnType<Files["write"]> {
    const drafts = await this.#draftsOf([{ path: file, content }]);
    return this.#record(drafts, () => this.#files.write(file, content, options));
  }

  async writeAll(changes: readonly FileChange[]): Promise<void> {
    await this.#record(await this.#draftsOf(changes), () => this.#files.writeAll(changes));
  }

  async restore(changes: readonly RestoredFile[]): Promise<void> {
    await this.#record(await this.#draftsOf(changes), () => this.#files.restore(changes));
  }

  async remove(file: string): Promise<void> {
    await this.#record(await this.#draftsOf([{ path: file }]), () => this.#files.remove(file));
  }

  async removeDirectory(file: string): Promise<boolean> {
    const real = await placeOf(this.#files, file);
    const { state } = await see(this.#files, real, 0);
    const drafts = state?.kind === "directory" ? [this.#draft(real, state, null)] : [];
    const full = new Error("The folder is not empty.");
    const remove = async (): Promise<boolean> => {
      if (await this.#files.removeDirectory(file)) return true;
      throw full;
    };
    return this.#record(drafts, remove).catch((error: unknown) => {
      if (error === full) return false;
      throw error;
    });
  }

  async makeDirectory(file: string): ReturnType<Files["makeDirectory"]> {
    const { real, exists } = await this.#files.resolve(file);
    const made = exists ? [] : [...missingAbove(real), real];
    const drafts = made.map((one) => this.#draft(one, null, folder));
    return this.#record(drafts, () => this.#files.makeDirectory(file));
  }

  async rename(from: string, to: string): Promise<void> {
    const [old, fresh] = [await placeOf(this.#files, from), await placeOf(this.#files, to)];
    const { state } = await see(this.#files, old, this.#journal.limit);
    if (state === null) return this.#files.rename(from, to);
    const undoes = this.#undone.get(fresh);
    const moved = {
      path: fresh,
      from: old,
      kind: "renamed" as const,
      before: state,
      after: state,
      lines: state.kind === "link" ? uncounted : noLines,
      ...(undoes && { undoes }),
    };
    const made = missingAbove(fresh).map((one) => this.#draft(one, null, folder));
    await this.#record([...made, moved], () => this.#files.rename(from, to));
  }

  /** What a change changes: a link that is removed itself, a link that is written to its file. */
  async #targetOf({ path: file, content }: RestoredFile): Promise<string> {
    if (content === undefined) return placeOf(this.#files, file);
    const { real } = await this.#files.resolve(file);
    return real;
  }

  #draft(
    real: string,
    before: FileState | null,
    after: FileState | null,
    // A folder has no lines.
    more: Pick<Draft, "bytes" | "lines"> = { lines: noLines },
  ): Draft {
    const undoes = this.#undone.get(real);
    return {
      path: real,
      kind: kindOf(before, after),
      before,
      after,
      ...more,
      ...(undoes && { undoes }),
    };
  }

  /** Each path once, as it is before and as it will be; without those that stay as they are. */
  async #draftsOf(changes: readonly RestoredFile[]): Promise<readonly Draft[]> {
    const [drafts, counter] = [new Map<string, Draft>(), new LineCounter(patience.call)];
    for (const change of changes) {
      const { content, mode } = change;
      const real = await this.#targetOf(change);
      const seen = await see(this.#files, real, this.#journal.limit);
      const before = seen.state;
      // The door refuses what makes no sense.
      if (before === null && content === undefined) continue;
      const after = fileOf(content, mode ?? before?.mode ?? null);
      if (content !== undefined)
        for (const made of missingAbove(real)) drafts.set(made, this.#draft(made, null, folder));
      if (isSame(before, after)) continue;
      const lines = await counter.count(seen, { state: after, ...(await bytesOf(content)) });
      drafts.set(real, this.#draft(real, before, after, { bytes: seen.bytes, lines }));
    }
    return [...drafts.values()];
  }

  async #record<T>(drafts: readonly Draft[], work: () => Promise<T>): Promise<T> {
    if (drafts.length === 0) return work();
    return this.#journal.around(this.#owner, this.#files, drafts, work);
  }
}
