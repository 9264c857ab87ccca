import { createHash, randomUUID } from "node:crypto";
import {
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { createReadStream } from "node:fs";
import path from "node:path";
import { AppError, compareText, isBelow, type Caller } from "@pergola/sdk";
import type { HeldFile, HeldFileService, Parts } from "@pergola/sdk/host";

/** The call whose programs ran. */
export type Origin = Pick<HeldFile, "callId" | "runId" | "tool" | "operation">;

const day = 86_400_000;
const idForm = /^held_[0-9a-f]{32}$/;

/** Also from one file system to another. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    await rm(from, { recursive: true, force: true });
  });
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Stands for a file, a link, or a folder with all that is in it; of pipes and the like for their mode. */
async function digestOf(file: string): Promise<string> {
  const stats = await lstat(file);
  const hash = createHash("sha256").update(`${stats.mode}\0`);
  if (stats.isSymbolicLink()) return hash.update(await readlink(file)).digest("hex");
  if (stats.isFile()) for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  if (!stats.isDirectory()) return hash.digest("hex");
  for (const name of (await readdir(file)).toSorted(compareText))
    hash.update(`${name}\0${await digestOf(path.join(file, name))}\0`);
  return hash.digest("hex");
}

/**
 * What appeared under protected names while programs ran, each in a folder of `<data>/changes/held` with a
 * note that says whence it comes.
 */
export class HeldFiles implements HeldFileService {
  readonly #parts: Parts;
  /** What the person has put back, when, and its digest: a program that still runs has not made it. */
  readonly #accepted = new Map<string, { readonly digest: string; readonly at: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get #folder(): string {
    return path.join(this.#parts.dataDirectory, "changes", "held");
  }

  #contentOf({ id, path: file }: Pick<HeldFile, "id" | "path">): string {
    return path.join(this.#folder, id, "content", path.basename(file));
  }

  /** Moves it away; undefined where it has gone meanwhile. */
  async hold(file: string, origin: Origin): Promise<HeldFile | undefined> {
    await this.prune();
    if (!(await isThere(file))) return undefined;
    const id = `held_${randomUUID().replaceAll("-", "")}`;
    const held: HeldFile = { id, path: file, ...origin, at: this.#parts.timestamp() };
    await mkdir(path.dirname(this.#contentOf(held)), { recursive: true, mode: 0o700 });
    await writeFile(this.#noteOf(id), JSON.stringify(held), { mode: 0o600, flag: "wx" });
    await move(file, this.#contentOf(held));
    this.#parts.log.warn({ ...held }, "what other programs trust appeared while a program ran; it was moved");
    return held;
  }

  #noteOf(id: string): string {
    return path.join(this.#folder, id, "note.json");
  }

  async list({ root }: Caller): Promise<readonly HeldFile[]> {
    const ids = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(ids.map((id) => this.#read(id)));
    return found
      .filter((held) => held !== undefined)
      .filter((held) => root === null || isBelow(root, held.path))
      .toSorted((a, b) => compareText(b.at, a.at));
  }

  async #read(id: string): Promise<HeldFile | undefined> {
    if (!idForm.test(id)) return undefined;
    try {
      const note = JSON.parse(await readFile(this.#noteOf(id), "utf8")) as HeldFile;
      const held = { ...note, id };
      return (await isThere(this.#contentOf(held))) ? held : undefined;
    } catch {
      return undefined;
    }
  }

  async restore(id: string, caller: Caller): Promise<HeldFile> {
    const held = await this.#find(id, caller);
    this.#parts.access?.record({ action: "held.restore", target: held.path, outcome: "done", caller });
    return this.putBack(id);
  }

  /** The same, for a call whose question the person has answered. */
  async putBack(id: string): Promise<HeldFile> {
    const held = await this.#find(id, { root: null });
    const folder = path.dirname(held.path);
    await checkWay(folder);
    if (await isThere(held.path))
      throw new AppError({
        code: "conflict",
        message: `Something is at ${held.path} now. Move it away first.`,
      });
    const digest = await digestOf(this.#contentOf(held));
    this.#accepted.set(held.path, { digest, at: this.#parts.clock.now() });
    await mkdir(folder, { recursive: true });
    await move(this.#contentOf(held), held.path);
    await this.#forget(id);
    return held;
  }

  async remove(id: string, caller: Caller): Promise<HeldFile> {
    const held = await this.#find(id, caller);
    this.#parts.access?.record({ action: "held.remove", target: held.path, outcome: "done", caller });
    await this.#forget(id);
    return held;
  }

  async #find(id: string, { root }: Pick<Caller, "root">): Promise<HeldFile> {
    const held = await this.#read(id);
    if (held !== undefined && (root === null || isBelow(root, held.path))) return held;
    throw new AppError({ code: "not_found", message: `Nothing is held under the id "${id}".` });
  }

  async #forget(id: string): Promise<void> {
    await rm(path.join(this.#folder, id), { recursive: true, force: true });
  }

  /**
   * Whether somebody else than a program that began at `since` has made what is there: the person put it
   * back, a call itself wrote it, or it is another account's file, which programs cannot write.
   */
  async isOthers(file: string, since: number): Promise<boolean> {
    const accepted = this.#accepted.get(file);
    const isRecent = accepted !== undefined && accepted.at >= since;
    if (isRecent && accepted.digest === (await digestOf(file).catch(() => ""))) return true;
    if (await isOfAnotherAccount(file, since)) return true;
    return (await this.#parts.changes?.isOwnWork(file, since).catch(() => false)) ?? false;
  }

  /** Throws away what has been held for too long. */
  async prune(): Promise<void> {
    const days = Math.max(1, this.#parts.preferences.get<number>("tools.file.backup_days"));
    const oldest = this.#parts.clock.now() - days * day;
    for (const id of await readdir(this.#folder).catch(() => [])) {
      const heldAt = Date.parse((await this.#read(id))?.at ?? "");
      const stats = Number.isNaN(heldAt) ? await lstat(path.join(this.#folder, id)) : undefined;
      if ((stats?.mtimeMs ?? heldAt) < oldest) await this.#forget(id);
    }
  }
}

/** Throws AppError `conflict` where a folder, or the way to it, has become a link. */
async function checkWay(folder: string): Promise<void> {
  let nearest = folder;
  while (!(await isThere(nearest))) nearest = path.dirname(nearest);
  if ((await realpath(nearest).catch(() => "")) === nearest) return;
  throw new AppError({ code: "conflict", message: `${nearest} leads elsewhere now.` });
}

/** A file that has come since, of an account whose files programs of this one cannot write. */
async function isOfAnotherAccount(file: string, since: number): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isFile() !== true || stats.uid === process.getuid?.()) return false;
  return stats.birthtimeMs >= since && stats.nlink === 1 && (stats.mode & 0o022) === 0;
}
