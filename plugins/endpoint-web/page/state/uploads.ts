import { signal } from "@preact/signals";
import { ApiError, type FileChangeRecord, messageOf, sendFile } from "../link/index.ts";
import { say } from "../parts/announce.ts";
import { nameAt } from "../text/format.ts";
import type { Thread } from "./thread.ts";

/** How much of a file has left, from 0 to 1. Another one has its name; it is there, and on no record. */
type Progress = Readonly<{ share: number; failure?: string; isTaken?: boolean; isAdded?: boolean }>;

function newUpload(thread: Thread, file: File, begun: Progress = { share: 0 }) {
  // A message names it: nothing there reads as anything else for it.
  const name = file.name.replace(/[\p{C}\p{Zl}\p{Zp}`]/gu, "_");
  const progress = signal(begun);
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
      await thread.readChanges();
      say(`${name} added`);
      if (thread.added.peek().some(({ path }) => nameAt(path) === name)) leave();
      else progress.value = { share: 1, isAdded: true };
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === "id_taken";
      progress.value = { share: 0, failure: messageOf(error), isTaken };
      if (!leaving.signal.aborted) say(messageOf(error), true);
    }
  };
  return { path: name, progress, send, leave };
}

export type Upload = Readonly<ReturnType<typeof newUpload>>;

let last = Promise.resolve();

export function addFiles(thread: Thread, files: Iterable<File>): void {
  const added = [...files].map((file) => newUpload(thread, file));
  thread.uploads.value = [...thread.uploads.peek(), ...added];
  for (const upload of added) last = last.then(() => upload.send());
}

export const isAdded = ({ progress }: Upload): boolean => progress.value.isAdded === true;

const keyOf = ({ id }: Thread): string => `pergola.added.${id}`;

/** The browser keeps the names of files that are there and on no record until a message names them. */
export function keepUploads(thread: Thread): void {
  const added = thread.uploads.value.filter(isAdded);
  const names = added.map(({ path }) => path).join("\n");
  localStorage[names === "" ? "removeItem" : "setItem"](keyOf(thread), names);
}

export function keptUploads(thread: Thread): readonly Upload[] {
  const names = (localStorage.getItem(keyOf(thread)) ?? "").split("\n").filter(Boolean);
  return names.map((name) => newUpload(thread, new File([], name), { share: 1, isAdded: true }));
}

/** The files that were added after a time, as they are now, the newest first. */
export const addedSince = (time: string, changes: readonly FileChangeRecord[]): readonly FileChangeRecord[] =>
  changes
    .filter(({ tool, after, at }) => tool === "files" && after?.kind === "file" && at > time)
    .filter(({ revertedBy }) => revertedBy === null)
    .filter(({ path }, at, all) => all.findIndex((one) => one.path === path) === at);

/** A text that names files, so that a model knows of them. */
export function naming(files: readonly { readonly path: string }[], text: string): string {
  if (text === "" || files.length === 0) return text;
  return `${text}\n\nAdded files: ${files.map(({ path }) => `\`${nameAt(path)}\``).join(", ")}`;
}
