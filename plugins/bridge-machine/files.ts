import { read as readCallback, readdirSync, readSync, renameSync, rmdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import {
  fileFailure,
  isBelow,
  ToolError,
  type CheckedPath,
  type FileChange,
  type FileInfo,
} from "@pergola/sdk";
import { systemFailure, type RestoringFiles } from "@pergola/sdk/host";
import type { BackupRules } from "./backups.ts";
import { changeFiles, look, syncFolder } from "./change-files.ts";
import { closePaths, isClosed, realPath, resolvePath, statOf, type PathRules } from "./paths.ts";
import { withDirectory, withEntry, withFile } from "./walk.ts";

const readAsync = promisify(readCallback);

export interface FilesOptions extends BackupRules, Omit<PathRules, "home"> {
  readonly home?: string;
  /** Its plugin has not asked for files: it gets none, wherever they are. */
  readonly isShut?: boolean;
  /** Whether this call may touch a real path outside the working directory. */
  mayReach(real: string): boolean;
}

function kindOf(stats: Stats): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "link";
  return "other";
}

const infoOf = (real: string, stats: Stats): FileInfo => ({
  path: real,
  name: path.basename(real),
  kind: kindOf(stats),
  size: stats.size,
  modified: stats.mtimeMs,
  created: stats.birthtimeMs,
  accessed: stats.atimeMs,
  mode: stats.mode & 0o7777,
});

class DoorFiles implements RestoringFiles {
  readonly #options: FilesOptions;
  readonly #rules: PathRules;

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#rules = { home: homedir(), ...options, dataDirectory: realPath(options.dataDirectory) };
  }

  async resolve(file: string): Promise<CheckedPath> {
    return resolvePath(file, this.#rules);
  }

  async stat(file: string): Promise<FileInfo | undefined> {
    const checked = this.#reach(file, false);
    if (!checked.exists) return undefined;
    const stats = await withEntry(checked, look);
    return stats && infoOf(checked.real, stats);
  }

  async read(
    source: string,
    { start = 0, end = Infinity }: { readonly start?: number; readonly end?: number } = {},
  ): Promise<Uint8Array> {
    const checked = this.#existing(source);
    const bytesOf = async (fd: number, stats: Stats): Promise<Uint8Array> => {
      if (isClosed(checked.real, this.#rules.dataDirectory, stats)) throw systemFailure("ELOOP");
      // Files that the system generates on reading, as in /proc, have no size.
      const length = Math.max(0, Math.min(end, stats.size || 65_536) - start);
      if (length > 2 ** 30) throw systemFailure("EFBIG");
      const bytes = Buffer.allocUnsafeSlow(length);
      // A small read costs less than handing it to a thread.
      if (length <= 65_536) return bytes.subarray(0, readSync(fd, bytes, 0, length, start));
      const { bytesRead } = await readAsync(fd, bytes, 0, length, start);
      return bytes.subarray(0, bytesRead);
    };
    return withEntry(checked, (file) => withFile(file, bytesOf));
  }

  async readText(file: string): Promise<string> {
    return Buffer.from(await this.read(file)).toString("utf8");
  }

  async list(file: string): Promise<readonly FileInfo[]> {
    const checked = this.#existing(file);
    const seen: FileInfo[] = [];
    await withDirectory(checked, async (folder) => {
      for (const name of readdirSync(`${folder}/.`).toSorted()) {
        const [real, stats] = [path.join(checked.real, name), look(`${folder}/${name}`)];
        if (stats !== undefined && !isClosed(real, this.#rules.dataDirectory, stats))
          seen.push(infoOf(real, stats));
        if (seen.length % 512 === 511) await setImmediate();
      }
    });
    return seen;
  }

  async write(
    file: string,
    content: string | Uint8Array,
    { create = false }: { readonly create?: boolean } = {},
  ) {
    const { exists } = this.#reach(file);
    await this.writeAll([{ path: file, content, create }]);
    return { bytes: Buffer.byteLength(content), created: !exists };
  }

  async writeAll(changes: readonly FileChange[]): Promise<void> {
    const reach = ({ path: file, content }: FileChange) => {
      if (content === undefined) return this.#existing(file, false);
      return this.#reach(file);
    };
    const checked = changes.map((change) => ({ ...change, real: reach(change).real }));
    await changeFiles(checked, this.#options);
  }

  async makeDirectory(file: string): Promise<{ readonly created: boolean }> {
    const checked = this.#reach(file);
    await withDirectory(checked, () => undefined, true);
    return { created: !checked.exists };
  }

  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [this.#existing(from, false), this.#reach(to, false)];
    if (isBelow(source.real, this.#rules.dataDirectory))
      throw new ToolError("permission_denied", `"${from}" holds the service's own files.`);
    const move = async (old: string, fresh: string, folder: string): Promise<void> => {
      if (look(fresh) !== undefined) throw fileFailure(systemFailure("EEXIST"), to);
      renameSync(old, fresh);
      await syncFolder(folder);
    };
    await withEntry(source, (old) => withEntry(target, (fresh, folder) => move(old, fresh, folder), true));
  }

  async remove(file: string): Promise<void> {
    await this.writeAll([{ path: file }]);
  }

  async restore(changes: Parameters<RestoringFiles["restore"]>[0]): Promise<void> {
    const checked = changes.map((change) => ({ ...change, real: this.#straight(change.path).real }));
    await changeFiles(checked, this.#options);
  }

  async removeDirectory(file: string): Promise<boolean> {
    const remove = (folder: string): boolean => {
      try {
        rmdirSync(folder);
        return true;
      } catch (error) {
        if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
        throw error;
      }
    };
    return withEntry(this.#straight(file), remove);
  }

  /** A path that no link leads away from. */
  #straight(file: string): CheckedPath {
    const checked = this.#reach(file, false);
    if (checked.real !== file) throw fileFailure(systemFailure("ELOOP"), file);
    return checked;
  }

  #reach(file: string, followLast = true): CheckedPath {
    if (this.#options.isShut === true)
      throw new ToolError(
        "permission_denied",
        `"${file}" is a file, and the plugin has no permission for files.`,
      );
    const checked = resolvePath(file, this.#rules, followLast);
    if (checked.place === "inside" || this.#options.mayReach(checked.real)) return checked;
    if (!followLast && this.#options.mayReach(resolvePath(file, this.#rules).real)) return checked;
    throw new ToolError(
      "permission_denied",
      `"${file}" lies outside the working directory, and this call was not allowed to go there.`,
    );
  }

  #existing(file: string, followLast = true): CheckedPath {
    const checked = this.#reach(file, followLast);
    if (checked.exists) return checked;
    const code = statOf(path.dirname(checked.real))?.isFile() === true ? "ENOTDIR" : "ENOENT";
    throw fileFailure(systemFailure(code), file, closePaths(checked.real, this.#rules));
  }
}

/** The file system as one call may see it. */
export const createFiles = (options: FilesOptions): RestoringFiles => new DoorFiles(options);
