import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { AppError } from "@pergola/sdk";
import type { Change } from "./plan-change.ts";

/** A name beside the file that nothing has yet. */
function backupName(target: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${target}.before-pergola${count === 1 ? "" : `-${count}`}`;
    if (!existsSync(name)) return name;
  }
}

const textAt = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, "utf8") : undefined;

function writeWhole(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  // The mask of the process takes bits away from a new file.
  chmodSync(file, mode);
}

/**
 * Makes a change that the person has seen: the file is whole at every moment, keeps its mode, and its former
 * text stays beside it. Gives the name of that copy; null for a new file. Throws AppError `in_use` where the
 * file has changed since.
 */
export function writeChange({ target, before, after }: Change): string | null {
  mkdirSync(path.dirname(target), { recursive: true });
  const mode = before === undefined ? 0o600 : statSync(target).mode & 0o777;
  const fresh = `${target}.${randomBytes(4).toString("hex")}.new`;
  try {
    writeWhole(fresh, after, mode);
    if (textAt(target) !== before)
      throw new AppError({ code: "in_use", message: `${target} has changed meanwhile. Repeat the command.` });
    const backup = before === undefined ? null : backupName(target);
    if (backup !== null) copyFileSync(target, backup, constants.COPYFILE_EXCL);
    renameSync(fresh, target);
    return backup;
  } finally {
    rmSync(fresh, { force: true });
  }
}
