import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { mkdir, open, realpath, rename, rm, rmdir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { AppError, isBelow } from "@pergola/sdk";
import { checkHeader } from "./check-header.ts";
import { partMark } from "./names.ts";
import { PartFile } from "./part-file.ts";

const sizeOf = async (file: string): Promise<number | undefined> => {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
};

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

/** Bytes that may still be written in a folder, which is made where there is none. */
export async function roomIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Where one download's files come to lie, `<path>/<owner>/<name>/<file>`, and beside each what there is of it
 * so far.
 */
export class ModelFolder {
  readonly #root: string;
  readonly #base: string;
  readonly #mark: string;

  constructor(root: string, repoId: string, downloadId: string) {
    this.#root = root;
    this.#base = path.join(root, ...repoId.split("/"));
    this.#mark = partMark(downloadId);
  }

  room = (): Promise<number> => roomIn(this.#root);

  size(name: string): Promise<number | undefined> {
    return sizeOf(this.#fileOf(name));
  }

  partSize(name: string): Promise<number | undefined> {
    return sizeOf(this.#partOf(name));
  }

  /** Whether the finished file lies there with this hash and, where one is given, this size. */
  async has(name: string, size: number | null, sha256: string, signal: AbortSignal): Promise<boolean> {
    const found = await this.size(name);
    if (found === undefined || (size !== null && found !== size)) return false;
    const hash = createHash("sha256");
    for await (const piece of createReadStream(this.#fileOf(name), { signal, highWaterMark: 1_048_576 }))
      hash.update(piece as Buffer);
    return hash.digest("hex") === sha256;
  }

  /** Rejects with `invalid_value` when a link leads out of the folder of models. */
  async open(name: string, signal: AbortSignal): Promise<PartFile> {
    const part = this.#partOf(name);
    await mkdir(path.dirname(part), { recursive: true });
    if (!isBelow(await realpath(this.#root), await realpath(path.dirname(part))))
      throw new AppError({
        code: "invalid_value",
        message: "A link leads out of the folder of models; nothing is written there.",
      });
    return PartFile.open(part, signal);
  }

  /** Rejects when what came is no model file of the kind that its name says. */
  check(name: string): Promise<void> {
    return checkHeader(this.#partOf(name), name);
  }

  /** What is whole and right gets its name. */
  async install(name: string): Promise<void> {
    await rename(this.#partOf(name), this.#fileOf(name));
    await flush(path.dirname(this.#fileOf(name)));
  }

  /** Removes what is not finished, and folders that are empty then. */
  async removePart(name: string): Promise<void> {
    await rm(this.#partOf(name), { force: true });
    const isMissing = (folder: string): Promise<boolean> =>
      rmdir(folder).then(
        () => true,
        () => false,
      );
    let folder = path.dirname(this.#fileOf(name));
    while (folder !== this.#root && (await isMissing(folder))) folder = path.dirname(folder);
  }

  #fileOf(name: string): string {
    return path.join(this.#base, ...name.split("/"));
  }

  #partOf(name: string): string {
    return this.#fileOf(name) + this.#mark;
  }
}
