import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { AppError, messageOf } from "@pergola/sdk";
import { openPromise, type ZipFile } from "yauzl";

/** A file that may hold conversations. */
export interface Entry {
  /** Below the folder, or within the archive. */
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface Entries {
  /** By name. */
  readonly list: readonly Entry[];
  /** Whether the person named one file. */
  readonly isOne: boolean;
  close(): void;
}

/** How an archive begins (APPNOTE 4.3): with a file, or empty. */
const signatures = [0x04034b50, 0x06054b50];

const isReadable = (name: string): boolean =>
  /\.jsonl?$/i.test(name) && !/(^|\/)(__MACOSX\/|\._|node_modules\/)/.test(name);

/** Bytes unpacked, and how many times the packed ones: an archive beyond both is made to do harm. */
const [largeArchive, largestRatio] = [64 << 20, 200];
const mostEntries = 100_000;

const refused = (message: string, cause?: unknown): AppError =>
  new AppError({ code: "invalid_value", message, cause });

const byName = (entries: readonly Entry[]): readonly Entry[] =>
  entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));

async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return signatures.includes(buffer.readUInt32LE());
  } finally {
    await handle.close();
  }
}

const fileEntry = (name: string, file: string, size: number): Entry => ({
  name,
  size,
  open: async () => createReadStream(file),
});

/** Links are not followed: a folder that was unpacked may hold some that lead anywhere. */
async function folderEntries(folder: string): Promise<Entries> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => isReadable(path.relative(folder, file).replaceAll(path.sep, "/")));
  if (files.length > mostEntries) throw refused(`${folder} has more than ${mostEntries} files.`);
  const entries: Entry[] = [];
  for (const file of files)
    entries.push(fileEntry(path.relative(folder, file), file, (await stat(file)).size));
  return { list: byName(entries), isOne: false, close: () => undefined };
}

async function packedEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (zip.entriesRead > mostEntries) throw refused(`it has more than ${mostEntries} files`);
    if (!isReadable(entry.fileName)) continue;
    const size = entry.uncompressedSize;
    entries.push({ name: entry.fileName, size, open: () => zip.openReadStreamPromise(entry) });
  }
  return entries;
}

async function archiveEntries(file: string, bytes: number): Promise<Entries> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    const list = byName(await packedEntries(zip));
    const unpacked = list.reduce((sum, { size }) => sum + size, 0);
    if (unpacked > largeArchive && unpacked > bytes * largestRatio)
      throw refused(`unpacked, it would be ${Math.floor(unpacked / bytes)} times as large`);
    return { list, isOne: false, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/**
 * What may be read of a file, of an archive (.zip) or of a folder with all folders in it. Nothing is unpacked
 * to the disk. Throws AppError `invalid_value`.
 */
export async function entriesOf(file: string): Promise<Entries> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) return await folderEntries(file);
    if (await isArchive(file)) return await archiveEntries(file, facts.size);
    const list = [fileEntry(path.basename(file), file, facts.size)];
    return { list, isOne: true, close: () => undefined };
  } catch (cause) {
    throw refused(`${file} cannot be read: ${messageOf(cause)}.`, cause);
  }
}
