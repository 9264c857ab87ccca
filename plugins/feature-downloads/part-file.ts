import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

const { O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants;
const pieceBytes = 1_048_576;

/**
 * A file that grows, and the SHA-256 of what is in it. It is no link: nobody else decides what is written to.
 */
export class PartFile {
  readonly #handle: FileHandle;
  #hash: Hash;
  #size: number;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
    this.#hash = createHash("sha256");
    this.#size = 0;
  }

  /**
   * Opens or makes it; what it holds is read for the hash. Rejects with the signal's reason when that aborts
   * meanwhile.
   */
  static async open(path: string, signal: AbortSignal): Promise<PartFile> {
    const file = new PartFile(await open(path, O_CREAT | O_RDWR | O_NOFOLLOW, 0o644));
    try {
      await file.#read(signal);
    } catch (error) {
      await file.#handle.close();
      throw error;
    }
    return file;
  }

  get size(): number {
    return this.#size;
  }

  /** Of the bytes so far, in lower case. */
  get sha256(): string {
    return this.#hash.copy().digest("hex");
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#size + at);
      at += bytesWritten;
    }
    this.#hash.update(bytes);
    this.#size += bytes.length;
  }

  /** Makes it empty. */
  async reset(): Promise<void> {
    await this.#handle.truncate(0);
    [this.#hash, this.#size] = [createHash("sha256"), 0];
  }

  /** Resolves when all of it is on the disk. */
  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await this.#handle.read(piece, 0, piece.length, this.#size);
      if (bytesRead === 0) return;
      this.#hash.update(piece.subarray(0, bytesRead));
      this.#size += bytesRead;
    }
  }
}
