import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { openBackup } from "../backup/open-backup.ts";
import { bringAlong, holdAudit, putBack, swapData } from "../backup/swap-data.ts";
import { fault } from "../fault.ts";
import { pluginsFolder } from "../plugins/plugin-lock.ts";
import { storageAlone, type StorageAlone } from "../plugins/storage-alone.ts";
import { atCommandLine, recordFact } from "../plugins/supply-audit.ts";
import { findDataDirectory } from "../settings/folders.ts";
import { readSettings } from "../settings/read-settings.ts";
import { linkSdk } from "../supply/sdk-link.ts";
import { isConfirmed } from "./ask-person.ts";
import { isInUse, timeInName } from "./backup.ts";
import { exitCodes } from "./exit-codes.ts";
import { silentLog } from "./person-log.ts";
import { printNote, printResult } from "./print-result.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { visible } from "./visible.ts";

interface RestoreOptions extends CommonOptions {
  readonly yes?: boolean;
}

const nothing = (): void => undefined;

/** Puts a backup in the place of the data directory, which is kept beside it. */
export async function restore(named: string, options: RestoreOptions): Promise<number> {
  const file = path.resolve(named);
  if (!existsSync(file)) throw fault("not_found", `There is no file ${file}.`);
  const common = settingsOf({ ...options, secretsMayMiss: true });
  const away = putBack(findDataDirectory(options.data, common));
  if (away !== undefined) printNote(`A restore was interrupted; what was in ${away} is in its place again.`);
  const source = await readSettings(common);
  const dataDirectory = realpathSync(source.reader.dataDirectory);
  if (await isInUse(dataDirectory))
    throw fault("in_use", `A service works on ${dataDirectory}. Stop it first; nothing was changed.`);
  const storage = await storageAlone(source);
  removeLeftovers(dataDirectory);
  const folder = folderBeside(dataDirectory);
  try {
    if (options.json !== true) printNote("Unpacking and checking the backup…");
    const next = await openBackup(file, folder, { ...storage, log: silentLog });
    const isEmpty = readdirSync(dataDirectory).length === 0;
    if (!isEmpty && !(await isWanted(dataDirectory, options))) return exitCodes.interrupted;
    const before = await replace(dataDirectory, next, storage);
    if (isEmpty) rmSync(before, { recursive: true });
    printRestored(dataDirectory, isEmpty ? null : before, options);
    return exitCodes.ok;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes what restores left that were ended before their end, a day ago or longer. */
function removeLeftovers(dataDirectory: string): void {
  const parent = path.dirname(dataDirectory);
  const begin = `${path.basename(dataDirectory)}.restoring-`;
  for (const name of readdirSync(parent).filter((one) => one.startsWith(begin))) {
    const folder = path.join(parent, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 86_400_000) rmSync(folder, { recursive: true, force: true });
  }
}

/** A new folder on the same disk. Throws AppError where there can be none. */
function folderBeside(dataDirectory: string): string {
  try {
    return mkdtempSync(`${dataDirectory}.restoring-`);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      `No folder can be made beside ${dataDirectory} (${code}). Restore into a new directory (--data), and ` +
      "move its content. Nothing was changed.";
    throw fault("storage_unavailable", message, { cause });
  }
}

const isWanted = async (dataDirectory: string, { yes }: RestoreOptions): Promise<boolean> =>
  yes === true || isConfirmed(`Replace what is in ${dataDirectory}? It is kept beside it.`, "--yes");

/** Resolves to where the directory that was there is. */
async function replace(dataDirectory: string, next: string, storage: StorageAlone): Promise<string> {
  const before = `${dataDirectory}.before-restore-${timeInName()}`;
  const letGo = (await storage.definition.hold?.(storage.settings, dataDirectory)) ?? nothing;
  const letGoOfAudit = holdAudit(dataDirectory);
  try {
    bringAlong(dataDirectory, next);
    recordFact(next, { action: "data.restore", outcome: "done", caller: atCommandLine });
    swapData(dataDirectory, next, before);
  } finally {
    letGoOfAudit([dataDirectory, before]);
    letGo();
  }
  if (existsSync(pluginsFolder(dataDirectory))) linkSdk(dataDirectory);
  return before;
}

function printRestored(data: string, before: string | null, options: RestoreOptions): void {
  const kept = `What was there is at ${visible(before ?? "")}. Remove it when you need it no more.`;
  printResult(options, { data, before }, [
    `${visible(data)} is as it was when the backup was made.`,
    "So are tokens and grants: revoke again what was revoked since.",
    ...(before === null ? [] : [kept]),
  ]);
}
