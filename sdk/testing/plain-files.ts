import { randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import {
  isBelow,
  ToolError,
  type CheckedPath,
  type FileChange,
  type FileInfo,
  type Files,
} from "@pergola/sdk";

const codes: Readonly<Record<string, string>> = {
  ENOENT: "file_not_found",
  EACCES: "system_permission_denied",
  EPERM: "system_permission_denied",
};

async function mapped<T>(file: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw new ToolError(codes[code] ?? "invalid_value", `"${file}": ${code}`, { cause });
  });
}

/** The real path of the nearest existing parent, plus the rest. */
async function realOf(file: string): Promise<string> {
  const found = await realpath(file).catch(() => undefined);
  const parent = path.dirname(file);
  return found ?? (parent === file ? file : path.join(await realOf(parent), path.basename(file)));
}

async function infoOf(file: string): Promise<FileInfo | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const kinds = [
    [found.isSymbolicLink(), "link"],
    [found.isDirectory(), "directory"],
    [found.isFile(), "file"],
  ] as const;
  const kind = kinds.find(([holds]) => holds)?.[1] ?? "other";
  const { size, mtimeMs, birthtimeMs, atimeMs, mode } = found;
  return {
    path: file,
    name: path.basename(file),
    kind,
    size,
    modified: mtimeMs,
    created: birthtimeMs,
    accessed: atimeMs,
    mode: mode & 0o7777,
  };
}

/**
 * `Files` for tests where the package `pergola` is not installed: confined by real path to the working
 * directory and to `allowed`, without backups. The host's own door does more, and is what counts.
 */
export class PlainFiles implements Files {
  readonly #workingDirectory: string;
  readonly #allowed: readonly string[];

  constructor(workingDirectory: string, allowed: readonly string[] = []) {
    this.#workingDirectory = workingDirectory;
    this.#allowed = allowed;
  }

  async resolve(file: string): Promise<CheckedPath> {
    const real = await realOf(this.#absolute(file));
    return {
      requestedPath: file,
      real,
      place: isBelow(this.#workingDirectory, real) ? "inside" : "outside",
      exists: (await infoOf(real)) !== undefined,
    };
  }

  async stat(file: string): Promise<FileInfo | undefined> {
    return infoOf(await this.#entry(file));
  }

  async read(
    file: string,
    { start = 0, end }: { readonly start?: number; readonly end?: number } = {},
  ): Promise<Uint8Array> {
    const handle = await mapped(file, open(await this.#target(file)));
    try {
      const info = await handle.stat();
      if (!info.isFile()) throw new ToolError("invalid_value", `"${file}" is not a regular file.`);
      const length = Math.max(0, Math.min(end ?? info.size, info.size) - start);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async readText(file: string): Promise<string> {
    return new TextDecoder().decode(await this.read(file));
  }

  async list(file: string): Promise<readonly FileInfo[]> {
    const folder = await this.#target(file);
    const names = await mapped(file, readdir(folder));
    const found = await Promise.all(names.toSorted().map((name) => infoOf(path.join(folder, name))));
    return found.filter((info) => info !== undefined);
  }

  async write(
    source: string,
    content: string | Uint8Array,
    { create = false } = {},
  ): Promise<{ readonly bytes: number; readonly created: boolean }> {
    const file = await this.#target(source);
    const before = await infoOf(file);
    if (create && before !== undefined) throw new ToolError("conflict", `"${source}" exists already.`);
    const bytes = Buffer.from(content as string);
    const temporary = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
    await mapped(source, mkdir(path.dirname(file), { recursive: true }));
    await mapped(source, writeFile(temporary, bytes));
    if (before !== undefined) await mapped(source, chmod(temporary, before.mode));
    await mapped(source, rename(temporary, file));
    return { bytes: bytes.length, created: before === undefined };
  }

  async writeAll(changes: readonly FileChange[]): Promise<void> {
    for (const change of changes) {
      const exists = (await infoOf(await this.#target(change.path))) !== undefined;
      if (change.create === true && exists)
        throw new ToolError("conflict", `"${change.path}" exists already.`);
      if (change.content === undefined && !exists)
        throw new ToolError("file_not_found", `There is no "${change.path}".`);
    }
    for (const { path: file, content } of changes)
      await (content === undefined ? this.remove(file) : this.write(file, content));
  }

  async makeDirectory(file: string): Promise<{ readonly created: boolean }> {
    const folder = await this.#target(file);
    return { created: (await mapped(file, mkdir(folder, { recursive: true }))) !== undefined };
  }

  async rename(from: string, to: string): Promise<void> {
    const source = await this.#entry(from);
    const target = await this.#entry(to);
    if ((await infoOf(target)) !== undefined) throw new ToolError("conflict", `"${to}" exists already.`);
    await mapped(to, mkdir(path.dirname(target), { recursive: true }));
    await mapped(from, rename(source, target));
  }

  async remove(target: string): Promise<void> {
    const file = await this.#entry(target);
    if ((await infoOf(file))?.kind === "directory")
      throw new ToolError("invalid_value", `"${target}" is a directory.`);
    await mapped(target, rm(file));
  }

  #absolute(file: string): string {
    if (file === "" || file.includes("\0"))
      throw new ToolError("invalid_value", "A path must not be empty or hold a NUL character.");
    const full = path.resolve(this.#workingDirectory, file.replace(/^~(?=\/|$)/, homedir()));
    const isRelative = !path.isAbsolute(file) && !file.startsWith("~");
    if (!isRelative || isBelow(this.#workingDirectory, full)) return full;
    throw new ToolError("path_escape", `"${file}" leaves the working directory.`, {
      hint: "Give an absolute path.",
    });
  }

  /** The file itself, links followed. */
  async #target(file: string): Promise<string> {
    return this.#within(file, await realOf(this.#absolute(file)));
  }

  /** The entry in its folder, a final link not followed. */
  async #entry(file: string): Promise<string> {
    const full = this.#absolute(file);
    return this.#within(file, path.join(await realOf(path.dirname(full)), path.basename(full)));
  }

  #within(base: string, file: string): string {
    if ([this.#workingDirectory, ...this.#allowed].some((folder) => isBelow(folder, file))) return file;
    throw new ToolError("permission_denied", `"${base}" lies outside the working directory.`);
  }
}
