import { randomUUID } from "node:crypto";
import { constants, copyFileSync, lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { fileFailure, type FileChange } from "@pergola/sdk";
import { systemFailure } from "@pergola/sdk/host";
import { keepBackup, type BackupRules } from "./backups.ts";
import { withEntry, withFile } from "./walk.ts";

const { O_WRONLY, O_CREAT, O_EXCL, COPYFILE_EXCL } = constants;

/** A change whose path was checked. */
export interface Change extends FileChange {
  readonly real: string;
  /** Permission bits that the file gets; default: those it has. */
  readonly mode?: number;
}

/**
 * A change under way at `file`: new content waits under `fresh`, what was there stays under `kept` until all
 * changes are made.
 */
interface Step extends Change {
  readonly file: string;
  readonly before: Stats | undefined;
  readonly fresh: string;
  readonly kept: string;
}

export const look = (file: string): Stats | undefined => lstatSync(file, { throwIfNoEntry: false });

async function prepare(
  { file, before, content, create, fresh, real, mode = before?.mode }: Step,
  rules: BackupRules,
): Promise<void> {
  if (before === undefined && content === undefined) throw systemFailure("ENOENT");
  if (before !== undefined && create === true) throw systemFailure("EEXIST");
  if (before?.isDirectory() === true) throw systemFailure("EISDIR");
  const isLink = before?.isSymbolicLink() === true;
  if (isLink && content !== undefined) throw systemFailure("ELOOP");
  if (before !== undefined && !isLink)
    await withFile(file, (_fd, _stats, opened) => keepBackup(opened, real, rules));
  if (content === undefined) return;
  const target = await open(fresh, O_WRONLY | O_CREAT | O_EXCL, before === undefined ? 0o666 : 0o600);
  try {
    await target.writeFile(content);
    if (before !== undefined && process.getuid?.() === 0) await target.chown(before.uid, before.gid);
    if (mode !== undefined) await target.chmod(mode & 0o777);
    await target.sync();
  } finally {
    await target.close();
  }
}

function carryOut({ file, before, fresh, kept, content, create }: Step, isAlone: boolean): void {
  if (create === true && look(file) !== undefined) throw systemFailure("EEXIST");
  if (content === undefined) return renameSync(file, kept);
  if (before !== undefined && !isAlone) copyFileSync(file, kept, COPYFILE_EXCL);
  renameSync(fresh, file);
}

const takeBack = ({ file, before, kept }: Step): void =>
  before === undefined ? rmSync(file) : renameSync(kept, file);

function carryOutAll(steps: readonly Step[]): void {
  const done: Step[] = [];
  for (const step of steps) {
    try {
      carryOut(step, steps.length === 1);
      done.unshift(step);
    } catch (error) {
      done.forEach(takeBack);
      throw fileFailure(error, step.path);
    }
  }
}

/** Makes the renames last; a file system that can not do so for a folder does it by itself. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(`${folder}/.`).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/**
 * Writes, replaces and removes files, all or none: everything is written beside its place, then renamed, and
 * a rename that fails takes back those before it. A file is replaced and never written into, so what is
 * hard-linked to it elsewhere keeps its content.
 */
export async function changeFiles(
  changes: readonly Change[],
  rules: BackupRules,
  steps: readonly Step[] = [],
): Promise<void> {
  const change = changes[steps.length];
  if (change === undefined) return carryOutAll(steps);
  const work = async (file: string, folder: string): Promise<void> => {
    const mark = `${folder}/.pergola-${randomUUID()}`;
    const step = { ...change, file, before: look(file), fresh: `${mark}.new`, kept: `${mark}.old` };
    try {
      await prepare(step, rules);
      await changeFiles(changes, rules, [...steps, step]);
      await syncFolder(folder);
    } finally {
      for (const left of [step.fresh, step.kept]) rmSync(left, { force: true });
    }
  };
  await withEntry({ given: change.path, real: change.real }, work, change.content !== undefined);
}
