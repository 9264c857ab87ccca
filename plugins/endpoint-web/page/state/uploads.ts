import { signal } from "@preact/signals";
import { ApiError, type FileChangeRecord, messageOf, sendFile } from "../link/index.ts";
import { say } from "../parts/announce.ts";
import { nameAt } from "../text/format.ts";
import type { Turn } from "./fold-run.ts";
import type { Thread } from "./thread.ts";

/** A file on its way into a conversation's working directory. */
export class Upload {
  readonly name: string;
  /** `share`: how much of it has left, from 0 to 1; `isTaken`: another file has its name. */
  readonly progress = signal<Readonly<{ share: number; failure?: string; isTaken?: boolean }>>({ share: 0 });
  readonly #thread: Thread;
  readonly #file: Blob;
  readonly #leaving = new AbortController();

  constructor(thread: Thread, file: File) {
    // A message names it: nothing there reads as anything else for it.
    this.name = file.name.replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, "_");
    this.#thread = thread;
    this.#file = file;
  }

  /** Sends it, to a new conversation too; with `overwrite` in place of what has its name. */
  async send(overwrite?: true): Promise<void> {
    const note = (share: number): void => void (this.progress.value = { share });
    note(0);
    try {
      await this.#thread.make();
      const path = this.#thread.path(["files", this.name], { overwrite });
      await sendFile(path, this.#file, note, this.#leaving.signal);
      await this.#thread.readFacts();
      say(`${this.name} added`);
      this.leave();
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "id_taken";
      this.progress.value = { share: 0, failure: messageOf(error), isTaken };
      if (!this.#leaving.signal.aborted) say(messageOf(error), true);
    }
  }

  leave(): void {
    this.#leaving.abort();
    const { uploads } = this.#thread;
    uploads.value = uploads.peek().filter((one) => one !== this);
  }
}

let last = Promise.resolve();

/** Puts files into the working directory, one after the other. */
export function addFiles(thread: Thread, files: Iterable<File>): void {
  const added = [...files].map((file) => new Upload(thread, file));
  thread.uploads.value = [...thread.uploads.peek(), ...added];
  for (const upload of added) last = last.then(() => upload.send());
}

/** When the last message was sent. */
export const lastAsked = (turns: readonly Turn[]): string =>
  turns.findLast(({ kind }) => kind === "user")?.time ?? "";

/** The files that were added after a time, as they are now, the newest first. */
export const addedSince = (time: string, changes: readonly FileChangeRecord[]): readonly FileChangeRecord[] =>
  changes
    .filter(({ tool, after, at }) => tool === "files" && after?.kind === "file" && at > time)
    .filter(({ revertedBy }) => revertedBy === null)
    .filter(({ path }, at, all) => all.findIndex((one) => one.path === path) === at);

/** A text that names files, so that a model knows of them. */
export function naming(files: readonly FileChangeRecord[], text: string): string {
  if (text === "" || files.length === 0) return text;
  return `${text}\n\nAdded files: ${files.map(({ path }) => `\`${nameAt(path)}\``).join(", ")}`;
}
