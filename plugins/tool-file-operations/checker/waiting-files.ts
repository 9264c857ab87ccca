import { posix } from "node:path";
import { receiveMessageOnPort } from "node:worker_threads";
import type { CheckerData, FileReplies, FileRequest, ListedEntry } from "./messages.ts";

/**
 * Files for the compiler, which cannot wait for a promise: each question goes to the process, whose files
 * door answers it, and the thread sleeps until then. Answers are kept, as nothing changes during a check.
 */
export class WaitingFiles {
  readonly #port: CheckerData["port"];
  readonly #flag: Int32Array<SharedArrayBuffer>;
  readonly #folders = new Map<string, ReadonlyMap<string, boolean> | undefined>();
  readonly #reals = new Map<string, string>();

  constructor({ port, flag }: Pick<CheckerData, "port" | "flag">) {
    this.#port = port;
    this.#flag = new Int32Array(flag);
  }

  read(path: string): string | undefined {
    return this.#ask("read", path) ?? undefined;
  }

  real(path: string): string {
    const known = this.#reals.get(path) ?? this.#ask("real", path) ?? path;
    this.#reals.set(path, known);
    return known;
  }

  /** A folder's entries; undefined when it is none. */
  list(folder: string): readonly ListedEntry[] | undefined {
    const entries = this.#entries(folder);
    return entries && [...entries];
  }

  isFile(path: string): boolean {
    return this.#entries(posix.dirname(path))?.get(posix.basename(path)) === false;
  }

  isFolder(path: string): boolean {
    return this.#entries(path) !== undefined;
  }

  #entries(folder: string): ReadonlyMap<string, boolean> | undefined {
    if (!this.#folders.has(folder)) this.#folders.set(folder, this.#askForEntries(folder));
    return this.#folders.get(folder);
  }

  #askForEntries(folder: string): ReadonlyMap<string, boolean> | undefined {
    const parent = posix.dirname(folder);
    const isParentKnown = parent !== folder && this.#folders.has(parent);
    if (isParentKnown && this.#folders.get(parent)?.get(posix.basename(folder)) !== true) return undefined;
    const listed = this.#ask("list", folder);
    return listed === null ? undefined : new Map(listed);
  }

  #ask<W extends FileRequest["kind"]>(kind: W, path: string): FileReplies[W] {
    Atomics.store(this.#flag, 0, 0);
    this.#port.postMessage({ kind, path } satisfies FileRequest);
    Atomics.wait(this.#flag, 0, 0);
    return (receiveMessageOnPort(this.#port)?.message ?? null) as FileReplies[W];
  }
}
