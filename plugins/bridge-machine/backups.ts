import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "@pergola/sdk";

export interface BackupRules {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** Days that a backup is kept; 0 = none is made. */
  readonly backupDays: () => number;
}

/**
 * Copies a file to `<data>/backups/<day>/<time>-<id>/<real path>` and removes the days (UTC) that are too
 * old.
 */
export async function keepBackup(
  file: string,
  real: string,
  { dataDirectory, clock, backupDays }: BackupRules,
): Promise<void> {
  const folder = path.join(dataDirectory, "backups");
  const [now, days] = [clock.now(), backupDays()];
  const oldest = new Date(now - days * 86_400_000).toISOString();
  for (const day of await readdir(folder).catch(() => []))
    if (day < oldest.slice(0, 10)) await rm(path.join(folder, day), { recursive: true, force: true });
  if (days === 0) return;
  const [day = "", time = ""] = new Date(now).toISOString().replaceAll(":", "").split(/[TZ]/);
  const copy = path.join(folder, day, `${time}-${randomUUID().slice(0, 8)}`, real);
  await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 });
  await copyFile(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}
