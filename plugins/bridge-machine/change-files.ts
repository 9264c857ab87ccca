import { randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  createReadStream,
  lstatSync,
  renameSync,
  rmSync,
  type Stats,
} from "node:fs";
import { open } from "node:fs/promises";
import { fileFailure } from "@pergola/sdk";
import { systemFailure, type RestoredFile } from "@pergola/sdk/host";
import { keepBackup, type BackupRules } from "./backups.ts";
import { withEntry, withFile } from "./walk.ts";

const { O_WRONLY, O_CREAT, O_EXCL, COPYFILE_EXCL } = constants;

/** A change whose path has been checked. */
export interface Change extends RestoredFile {
  readonly real: string;
}

/**
 * A change in progress at `file`: the new content waits under `fresh`, and the old file stays under `old`
 * until all changes are made.
 */
interface Step extends Change {
  readonly file: string;
  readonly before: Stats | undefined;
  readonly fresh: string;
  readonly old: string;
}

export const look = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false });

function checkStep({ before, content, create }: Step): void {
  if (before === undefined) {
    if (content === undefined) throw systemFailure("ENOENT");
    return;
  }
  if (create === true) throw systemFailure("EEXIST");
  if (before.isDirectory()) throw systemFailure("EISDIR");
  if (before.isSymbolicLink() && content !== undefined) throw systemFailure("ELOOP");
}

/** Writes the new content with the owner and permissions of the old file, and syncs it to the disk. */
async function writeFresh(
  { before, fresh, mode = before?.mode }: Step,
  content: NonNullable<Change["content"]>,
): Promise<void> {
  const target = await open(fresh, O_WRONLY | O_CREAT | O_EXCL, before === undefined ? 0o666 : 0o600);
  try {
    if (typeof content === "string" || content instanceof Uint8Array) await target.writeFile(content);
    else for await (const piece of createReadStream(content.file)) await target.writeFile(piece as Buffer);
    if (before !== undefined && process.getuid?.() === 0) await target.chown(before.uid, before.gid);
    if (mode !== undefined) await target.chmod(mode & 0o777);
    await target.sync();
  } finally {
    await target.close();
  }
}

async function prepare(step: Step, rules: BackupRules): Promise<void> {
  checkStep(step);
  const { file, before, content, real } = step;
  if (before?.isSymbolicLink() === false)
    await withFile(file, (_fd, _stats, opened) => keepBackup(opened, real, rules));
  if (content !== undefined) await writeFresh(step, content);
}

function apply({ file, before, fresh, old, content, create }: Step, isAlone: boolean): void {
  if (create === true && look(file) !== undefined) throw systemFailure("EEXIST");
  if (content === undefined) return renameSync(file, old);
  if (before !== undefined && !isAlone) copyFileSync(file, old, COPYFILE_EXCL);
  renameSync(fresh, file);
}

function rollBack({ file, before, old }: Step): void {
  if (before === undefined) return rmSync(file);
  renameSync(old, file);
}

function applyAll(steps: readonly Step[]): void {
  const done: Step[] = [];
  for (const step of steps) {
    try {
      apply(step, steps.length === 1);
      done.unshift(step);
    } catch (error) {
      done.forEach(rollBack);
      throw fileFailure(error, step.path);
    }
  }
}

/** Makes renames durable. File systems that cannot sync a folder do so on their own. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(`${folder}/.`).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Writes, replaces and removes files, all or none: new content goes to a temporary file in the same folder
 * and is then renamed; if a rename fails, the earlier ones are rolled back. Files are replaced, never written
 * into, so hard links elsewhere keep their content.
 */
export async function changeFiles(
  changes: readonly Change[],
  rules: BackupRules,
  steps: readonly Step[] = [],
): Promise<void> {
  const change = changes[steps.length];
  if (change === undefined) return applyAll(steps);
  const work = async (file: string, folder: string): Promise<void> => {
    const mark = `${folder}/.pergola-${randomUUID()}`;
    const step = {
      ...change,
      file,
      before: look(file),
      fresh: `${mark}.new`,
      old: `${mark}.old`,
    };
    try {
      await prepare(step, rules);
      await changeFiles(changes, rules, [...steps, step]);
      await syncFolder(folder);
    } finally {
      for (const leftover of [step.fresh, step.old]) rmSync(leftover, { force: true });
    }
  };
  await withEntry({ requestedPath: change.path, real: change.real }, work, change.content !== undefined);
}
