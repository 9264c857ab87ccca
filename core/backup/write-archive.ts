import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants, createWriteStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Header, Pack, ReadEntry } from "tar";
import { manifestFile, type BackedUpFile, type BackupManifest } from "./backup-layout.ts";

/** Up to this size a file is read at once, so that its size in the archive is that of what was read. */
const small = 4 * 2 ** 20;

const pieceBytes = 2 ** 18;

interface Facts {
  readonly mode: number;
  readonly mtime: Date;
}

type Chunks = Iterable<Buffer> | AsyncIterable<Buffer>;

/**
 * A compressed tar archive that is being written, with a digest of each file as it is in the archive: the
 * file itself may change meanwhile.
 */
export class ArchiveWriter {
  readonly #pack = new Pack({ gzip: true, portable: true });
  readonly #written: Promise<void>;
  readonly #failed: Promise<never>;
  readonly #files: BackedUpFile[] = [];

  /** Makes a new file, readable by its owner alone. */
  constructor(file: string) {
    const output = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
    this.#written = pipeline(this.#pack as AsyncIterable<Buffer>, output);
    this.#failed = new Promise((_, reject) => void this.#written.catch(reject));
    this.#failed.catch(() => undefined);
  }

  async addFolder(name: string, mode: number): Promise<void> {
    await this.#end(this.#entry("Directory", `${name}/`, 0, { mode, mtime: new Date() }));
  }

  /**
   * Adds a file under a name; of one that grows meanwhile, what it had at first. Rejects when it cannot be
   * read, the archive cannot be written, or a large file becomes shorter meanwhile.
   */
  async addFile(name: string, full: string): Promise<void> {
    const file = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const facts = await file.stat();
      const { size } = facts;
      if (size > small) return await this.#add(name, size, facts, chunksOf(file, size, name));
      const content = await readUpTo(file, size);
      await this.#add(name, content.length, facts, [content]);
    } finally {
      await file.close();
    }
  }

  async #add(name: string, size: number, facts: Facts, chunks: Chunks): Promise<void> {
    const hash = createHash("sha256");
    const entry = this.#entry("File", name, size, facts);
    for await (const chunk of chunks) {
      hash.update(chunk);
      await this.#write(entry, chunk);
    }
    await this.#end(entry);
    this.#files.push({ path: name, bytes: size, sha256: hash.digest("hex") });
  }

  /** Writes the manifest with all files that were added, and ends the archive on the disk. */
  async end(about: Omit<BackupManifest, "files">): Promise<void> {
    const text = Buffer.from(`${JSON.stringify({ ...about, files: this.#files }, undefined, 1)}\n`);
    const entry = this.#entry("File", manifestFile, text.length, { mode: 0o600, mtime: new Date() });
    await this.#write(entry, text);
    await this.#end(entry);
    this.#pack.end();
    await this.#written;
  }

  /** Ends an archive that is not to be whole. */
  async abandon(): Promise<void> {
    this.#pack.destroy(new Error("the archive was abandoned"));
    await this.#written.catch(() => undefined);
  }

  #entry(type: "File" | "Directory", name: string, size: number, { mode, mtime }: Facts): ReadEntry {
    const entry = new ReadEntry(new Header({ path: name, type, size, mode: mode & 0o777, mtime }));
    this.#pack.add(entry);
    return entry;
  }

  async #write(entry: ReadEntry, chunk: Buffer): Promise<void> {
    if (chunk.length === 0 || entry.write(chunk)) return;
    await Promise.race([once(entry, "drain"), this.#failed]);
  }

  async #end(entry: ReadEntry): Promise<void> {
    const ended = entry.promise();
    entry.end();
    await Promise.race([ended, this.#failed]);
  }
}

async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function* chunksOf(file: FileHandle, length: number, name: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const wanted = Math.min(pieceBytes, length - at);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error(`${name} became shorter while it was read; repeat the backup`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
