import path from "node:path";
import { writeBackup } from "../backup/write-backup.ts";
import { fault } from "../fault.ts";
import packageJson from "../package.json" with { type: "json" };
import { storageAlone } from "../plugins/storage-alone.ts";
import { readSettings } from "../settings/read-settings.ts";
import { readableBytes } from "./progress-bar.ts";
import { printNote, printResult } from "./print-result.ts";
import { isAtItsAddress, readNote } from "./service-note.ts";
import { settingsOf, type CommonOptions } from "./service.ts";
import { visible } from "./visible.ts";

/** `2026-11-26T15-04-05Z`, which every file system takes. */
export const timeInName = (): string => new Date().toISOString().replace(/\.\d+/, "").replaceAll(":", "-");

/** Whether a service works on this data at this moment. */
export async function isInUse(dataDirectory: string): Promise<boolean> {
  const note = readNote(dataDirectory);
  return note !== undefined && isAtItsAddress(note);
}

/** Writes all that is kept into one file, while a service runs or not. */
export async function backup(named: string | undefined, options: CommonOptions): Promise<void> {
  const source = await readSettings(settingsOf({ ...options, secretsMayMiss: true }));
  const { dataDirectory } = source.reader;
  const storage = await storageAlone(source);
  if (storage.definition.copy === undefined && (await isInUse(dataDirectory))) {
    const { type } = storage.definition;
    throw fault(
      "invalid_value",
      `The storage ${type} cannot be copied while a service works on it: stop it.`,
    );
  }
  const file = path.resolve(named ?? `pergola-${timeInName()}.tar.gz`);
  const tell = options.json === true ? (): void => undefined : printNote;
  const written = await writeBackup(file, { ...storage, dataDirectory, version: packageJson.version, tell });
  const { files, bytes, skipped } = written;
  printResult(options, { file, ...written }, [
    `${visible(file)}: ${files} files, ${readableBytes(bytes)}.`,
    ...skipped.map((name) => `  left out, as an archive cannot have it: ${visible(name)}`),
    "Not in it: downloaded models, and ~/.config/pergola with your settings and the key of secrets.",
  ]);
}
