import path from "node:path";
import { fileFailure, type CheckedPath, type FileChange, type FileInfo, type Files } from "@pergola/sdk";
import { systemFailure } from "@pergola/sdk/host";
import { fileOf, folder, missingAbove, see, type Seen } from "./file-states.ts";
import { placeOf } from "./place-of.ts";

const nothing: Seen = { state: null };

function failed(code: string, file: string): Error {
  return fileFailure(systemFailure(code), file) as Error;
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : content;

/**
 * Files as a call would leave them: read from the disk through the call's door, with its rules for what may
 * be reached, and changed in memory alone.
 */
export class RehearsedFiles implements Files {
  /** What stands on the disk, of everything that was read or changed; by real paths. */
  readonly before = new Map<string, Seen>();
  /** What would stand there, of everything that was changed. */
  readonly after = new Map<string, Seen>();
  /** Where from, of what would be renamed. */
  readonly from = new Map<string, string>();
  readonly #disk: Files;
  readonly #limit: number;
  readonly #now: () => number;

  /** Larger files than `limit` bytes are not looked into; `now` is in milliseconds since 1970. */
  constructor(disk: Files, limit: number, now: () => number) {
    this.#disk = disk;
    this.#limit = limit;
    this.#now = now;
  }

  async resolve(file: string): Promise<CheckedPath> {
    const checked = await this.#disk.resolve(file);
    const changed = this.after.get(checked.real);
    return changed === undefined ? checked : { ...checked, exists: changed.state !== null };
  }

  async stat(file: string): Promise<FileInfo | undefined> {
    const real = await placeOf(this.#disk, file);
    const changed = this.after.get(real);
    return changed === undefined ? this.#disk.stat(file) : this.#infoOf(real, changed);
  }

  async read(
    file: string,
    { start = 0, end = Infinity }: { readonly start?: number; readonly end?: number } = {},
  ): Promise<Uint8Array> {
    const { real } = await this.#disk.resolve(file);
    const { state, bytes } = await this.#seen(real);
    if (state === null) throw failed("ENOENT", file);
    if (state.kind === "directory") throw failed("EISDIR", file);
    if (bytes !== undefined) return bytes.slice(start, end);
    return this.#disk.read(this.from.get(real) ?? file, { start, end });
  }

  async readText(file: string): Promise<string> {
    return Buffer.from(await this.read(file)).toString("utf8");
  }

  async list(file: string): Promise<readonly FileInfo[]> {
    const { real } = await this.#disk.resolve(file);
    const changed = this.after.get(real);
    if (changed?.state === null) throw failed("ENOENT", file);
    const found = changed === undefined ? await this.#disk.list(file) : [];
    const entries = new Map(found.map((info) => [info.path, info]));
    for (const [at, seen] of this.after) {
      if (path.dirname(at) !== real) continue;
      const info = this.#infoOf(at, seen);
      if (info === undefined) entries.delete(at);
      else entries.set(at, info);
    }
    return [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async write(...[file, content, options]: Parameters<Files["write"]>): ReturnType<Files["write"]> {
    const { real } = await this.#disk.resolve(file);
    const { state } = await this.#seen(real);
    await this.writeAll([{ path: file, content, ...options }]);
    return { bytes: Buffer.byteLength(content), created: state === null };
  }

  async writeAll(changes: readonly FileChange[]): Promise<void> {
    const planned: (readonly [string, Seen])[] = [];
    for (const change of changes) planned.push(await this.#planned(change));
    for (const [real, seen] of planned) this.#put(real, seen);
  }

  async makeDirectory(file: string): ReturnType<Files["makeDirectory"]> {
    const { real } = await this.#disk.resolve(file);
    const { state } = await this.#seen(real);
    if (state?.kind === "directory") return { created: false };
    if (state !== null) throw failed("EEXIST", file);
    this.#put(real, { state: folder });
    return { created: true };
  }

  async rename(from: string, to: string): Promise<void> {
    const [old, fresh] = [await placeOf(this.#disk, from), await placeOf(this.#disk, to)];
    const [moved, there] = [await this.#seen(old), await this.#seen(fresh)];
    if (moved.state === null) throw failed("ENOENT", from);
    if (there.state !== null) throw failed("EEXIST", to);
    this.#put(fresh, moved);
    this.#put(old, nothing);
    this.from.set(fresh, this.from.get(old) ?? old);
    this.from.delete(old);
  }

  async remove(file: string): Promise<void> {
    await this.writeAll([{ path: file }]);
  }

  async #planned({ path: file, content, create }: FileChange): Promise<readonly [string, Seen]> {
    const { real } =
      content === undefined ? { real: await placeOf(this.#disk, file) } : await this.resolve(file);
    const { state } = await this.#seen(real);
    if (state === null && content === undefined) throw failed("ENOENT", file);
    if (state !== null && create === true) throw failed("EEXIST", file);
    if (state?.kind === "directory") throw failed("EISDIR", file);
    if (content === undefined) return [real, nothing];
    return [real, { state: fileOf(content, state?.mode ?? null), bytes: bytesOf(content) }];
  }

  #put(real: string, seen: Seen): void {
    if (seen.state !== null)
      for (const made of missingAbove(real))
        if (!this.after.has(made)) this.after.set(made, { state: folder });
    this.after.set(real, seen);
  }

  /** What stands or would stand at a real path. */
  async #seen(real: string): Promise<Seen> {
    const known = this.after.get(real) ?? this.before.get(real);
    if (known !== undefined) return known;
    const seen = await see(this.#disk, real, this.#limit);
    this.before.set(real, seen);
    return seen;
  }

  #infoOf(real: string, { state }: Seen): FileInfo | undefined {
    if (state === null) return undefined;
    const at = this.#now();
    const times = { modified: at, created: at, accessed: at };
    const { kind, size, mode } = state;
    return { path: real, name: path.basename(real), kind, size, mode: mode ?? 0o644, ...times };
  }
}
