import { signal } from "@preact/signals";
import { ApiError, messageOf, sendFile } from "../link/index.ts";
import { say } from "../parts/announce.ts";
import { nameAt } from "../text/format.ts";
import type { Thread } from "./thread.ts";

/** How much of a file has left, from 0 to 1; `isTaken`: another file has its name. */
type Progress = Readonly<{ share: number; failure?: string; isTaken?: boolean }>;

/** A file on its way into a conversation's working directory. */
function newUpload(thread: Thread, file: File) {
  // A message names it: nothing there reads as anything else for it.
  const name = file.name.replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, "_");
  const progress = signal<Progress>({ share: 0 });
  const leaving = new AbortController();
  const leave = (): void => {
    leaving.abort();
    thread.uploads.value = thread.uploads.peek().filter((one) => one.leave !== leave);
  };
  const note = (share: number): void => void (progress.value = { share });
  /** Sends it, to a new conversation too; with `overwrite` in place of what has its name. */
  const send = async (overwrite?: true): Promise<void> => {
    note(0);
    try {
      await thread.make();
      await sendFile(thread.path(["files", name], { overwrite }), file, note, leaving.signal);
      await thread.readFacts();
      say(`${name} added`);
      leave();
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "id_taken";
      progress.value = { share: 0, failure: messageOf(error), isTaken };
      if (!leaving.signal.aborted) say(messageOf(error), true);
    }
  };
  return { name, progress, send, leave };
}

export type Upload = Readonly<ReturnType<typeof newUpload>>;

/** A text, and the names of the files that were added for it. */
export function naming({ added }: Thread, text: string): string {
  const names = added.peek().map(({ path }) => `\`${nameAt(path)}\``);
  return text && names.length > 0 ? `${text}\n\nAdded files: ${names.join(", ")}` : text;
}

let last = Promise.resolve();

/** Puts files into the working directory, one after the other. */
export function addFiles(thread: Thread, files: Iterable<File>): void {
  const added = [...files].map((file) => newUpload(thread, file));
  thread.uploads.value = [...thread.uploads.peek(), ...added];
  for (const upload of added) last = last.then(() => upload.send());
}
