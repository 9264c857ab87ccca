import { signal } from "@preact/signals";
import { ApiError, call, messageOf, pathOf, sendFile } from "../link/index.ts";
import type { FileChangeRecord, RevertOutcome } from "../link/index.ts";
import { say } from "../parts/index.ts";
import type { Thread } from "./thread.ts";

interface Progress {
  /** How much of it has left, from 0 to 1. */
  readonly share: number;
  /** It is there, and can be taken back under this id. */
  readonly callId?: string;
  /** Why it is not there; `isTaken`: another file has its name. */
  readonly failure?: string;
  readonly isTaken?: boolean;
}

/** A file that somebody adds to a conversation; nothing in a message reads as anything else for its name. */
export class Upload {
  readonly name: string;
  readonly progress = signal<Progress>({ share: 0 });
  /** Resolves once it is there, or is known not to be. */
  sent = Promise.resolve();
  readonly leaving = new AbortController();
  readonly #thread: Thread;
  readonly #file: Blob | undefined;

  constructor(thread: Thread, name: string, file?: Blob) {
    this.name = name.replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, "_");
    this.#thread = thread;
    this.#file = file;
  }

  get isThere(): boolean {
    return this.progress.value.callId !== undefined;
  }

  /** Sends it, to a new conversation too; with `overwrite` in place of what has its name. */
  send(overwrite?: true): Promise<void> {
    return (this.sent = this.#send(overwrite));
  }

  async #send(overwrite?: true): Promise<void> {
    const note = (share: number): void => void (this.progress.value = { share });
    note(0);
    try {
      await this.#thread.make();
      const path = this.#thread.path(["files", this.name], { overwrite });
      const { callId } = await sendFile(path, this.#file ?? new Blob(), note, this.leaving.signal);
      this.progress.value = { share: 1, callId };
      say(`${this.name} added`);
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "id_taken";
      this.progress.value = { share: 0, failure: messageOf(error), isTaken };
      if (!this.leaving.signal.aborted) say(messageOf(error), true);
    }
  }
}

/** The files that are added to a conversation after a message: the next one names them. */
export class Uploads {
  readonly list = signal<readonly Upload[]>([]);
  readonly #thread: Thread;
  #last = Promise.resolve();

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Puts files into the working directory, one after the other. */
  add(files: Iterable<File> | null = []): void {
    const added = [...(files ?? [])].map((file) => new Upload(this.#thread, file.name, file));
    this.list.value = [...this.list.peek(), ...added];
    for (const upload of added) this.#last = this.#last.then(() => upload.send());
    this.#last = this.#last.then(() => this.#thread.readFacts());
  }

  forget(some: readonly Upload[]): void {
    this.list.value = this.list.peek().filter((one) => !some.includes(one));
  }

  /** Takes one back; no message names it, even where it stays. */
  async remove(upload: Upload): Promise<void> {
    this.forget([upload]);
    // What has left as a whole arrives.
    if (upload.progress.peek().share < 1) upload.leaving.abort();
    await upload.sent;
    const { callId } = upload.progress.peek();
    try {
      const path = pathOf(["api", "runs", callId ?? "", "revert"]);
      const { refused } = callId ? await call<RevertOutcome>(path, "POST", {}) : { refused: [] };
      if (refused[0]) throw new Error(`${upload.name} stays: ${refused[0].reason}`);
    } catch (error) {
      this.#thread.fail(error);
    }
    await this.#thread.readFacts();
  }

  /** Finds those that were added before this page was loaded. */
  find(changes: readonly FileChangeRecord[], since = ""): void {
    const found = changes.flatMap(({ tool, after, at, revertedBy, path, callId }) => {
      if (tool !== "files" || after?.kind !== "file" || at <= since || revertedBy !== null) return [];
      const upload = new Upload(this.#thread, path.split(/[/\\]/).at(-1) ?? "");
      upload.progress.value = { share: 1, callId: callId ?? "" };
      return upload;
    });
    this.list.value = [...found, ...this.list.peek().filter(({ isThere }) => !isThere)];
  }
}

/** A text that names files, so that a model knows of them. */
export function naming(uploads: readonly Upload[], text: string): string {
  if (text === "" || uploads.length === 0) return text;
  const names = new Set(uploads.map(({ name }) => `\`${name}\``));
  return `${text}\n\nAdded files: ${[...names].join(", ")}`;
}
