import { randomBytes } from "node:crypto";
import { ToolError } from "@pergola/sdk";
import type { SFTPWrapper, Stats } from "ssh2";
import type { Connection } from "../ssh/connection.ts";
import { abortReason, type Done } from "../ssh/settle.ts";
import { isPlainName } from "./names.ts";

/** Bytes of one file. */
export const largestFile = 64 << 20;
const pieceBytes = 256 << 10;
/** Seconds without an answer. */
const idleSeconds = 30;
const endOfFile = 1;
/** SSH_FX_NO_SUCH_FILE and SSH_FX_PERMISSION_DENIED (draft-ietf-secsh-filexfer-02, 7). */
const meanings: Readonly<Record<number, readonly [code: string, text: string]>> = {
  2: ["file_not_found", "does not exist"],
  3: ["system_permission_denied", "is refused by the other machine"],
};

export interface RemoteEntry {
  readonly filename: string;
  readonly attrs: Stats;
}

/** A folder ends with an error of its own, which is no failure. */
const unlessAtEnd =
  (done: Done<RemoteEntry[]>) =>
  (error: (Error & { readonly code?: number | string }) | undefined, entries: RemoteEntry[] = []): void => {
    if (error?.code === endOfFile) done(null, []);
    else done(error, entries);
  };

/**
 * The files of a machine, over SFTP. What the other side says is not believed: names are checked, sizes are
 * counted.
 */
export class RemoteFiles {
  readonly #connection: Connection;
  readonly #sftp: SFTPWrapper;
  readonly #signal: AbortSignal;

  private constructor(connection: Connection, sftp: SFTPWrapper, signal: AbortSignal) {
    this.#connection = connection;
    this.#sftp = sftp;
    this.#signal = signal;
  }

  static async open(connection: Connection, signal: AbortSignal): Promise<RemoteFiles> {
    const sftp = await connection.sftp({ signal }).catch((cause: unknown) => {
      if (ToolError.is(cause)) throw cause;
      throw new ToolError("unavailable", `${connection.target.name} does not copy files (SFTP).`, {
        hint: "Small text files can be read with cat and written with a here-document.",
        cause,
      });
    });
    return new RemoteFiles(connection, sftp, signal);
  }

  /** Links followed. */
  async stat(path: string): Promise<Stats> {
    return this.#ask(path, (done) => this.#sftp.stat(path, done));
  }

  /** The entries of a folder, links not followed. Throws when a name is none, and when there are too many. */
  async list(path: string, most: number): Promise<readonly RemoteEntry[]> {
    const handle = await this.#ask<Buffer>(path, (done) => this.#sftp.opendir(path, done));
    const found: RemoteEntry[] = [];
    try {
      for (;;) {
        const entries = await this.#ask<RemoteEntry[]>(path, (done) =>
          this.#sftp.readdir(handle, unlessAtEnd(done)),
        );
        if (entries.length === 0) return found;
        found.push(...entries.filter(({ filename }) => filename !== "." && filename !== ".."));
        const wrong = found.find(({ filename }) => !isPlainName(filename));
        if (wrong !== undefined)
          throw this.#failure(path, `lists ${JSON.stringify(wrong.filename)}, which is not a name`);
        if (found.length > most) throw this.#failure(path, `holds more than ${most} entries`);
      }
    } finally {
      this.#sftp.close(handle, () => undefined);
    }
  }

  /** All of a file, as far as it comes, at most `largestFile` bytes. */
  async read(path: string): Promise<Buffer> {
    const handle = await this.#ask<Buffer>(path, (done) => this.#sftp.open(path, "r", done));
    const pieces: Buffer[] = [];
    let size = 0;
    try {
      for (;;) {
        const room = Buffer.allocUnsafeSlow(pieceBytes);
        const read = await this.#ask<number>(path, (done) =>
          this.#sftp.read(handle, room, 0, pieceBytes, size, done),
        );
        if (read === 0) return Buffer.concat(pieces);
        pieces.push(room.subarray(0, read));
        size += read;
        if (size > largestFile) throw this.#failure(path, `is larger than ${largestFile >> 20} MiB`);
      }
    } finally {
      this.#sftp.close(handle, () => undefined);
    }
  }

  /** Writes beside the file and renames, so that it is there whole or not at all. */
  async write(path: string, bytes: Buffer, mode: number): Promise<void> {
    const fresh = `${path}.pergola-${randomBytes(6).toString("hex")}`;
    try {
      await this.#writeNew(fresh, bytes, mode);
      await this.#replace(fresh, path);
    } catch (error) {
      this.#sftp.unlink(fresh, () => undefined);
      throw error;
    }
  }

  /** Makes a folder, and those above it. */
  async makeFolders(path: string): Promise<void> {
    const steps = path.split("/");
    for (let depth = 1; depth <= steps.length; depth += 1) {
      const folder = steps.slice(0, depth).join("/");
      if (folder === "" || folder === "." || (await this.#isThere(folder))) continue;
      await this.#ask(folder, (done) => this.#sftp.mkdir(folder, done));
    }
  }

  close(): void {
    this.#sftp.end();
  }

  async #isThere(path: string): Promise<boolean> {
    return this.stat(path).then(
      () => true,
      (error: unknown) => {
        if (ToolError.is(error) && error.code === "file_not_found") return false;
        throw error;
      },
    );
  }

  async #writeNew(path: string, bytes: Buffer, mode: number): Promise<void> {
    const handle = await this.#ask<Buffer>(path, (done) => this.#sftp.open(path, "wx", mode, done));
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const length = Math.min(pieceBytes, bytes.length - at);
      await this.#ask<void>(path, (done) => this.#sftp.write(handle, bytes, at, length, at, done));
    }
    await this.#ask<void>(path, (done) => this.#sftp.close(handle, done));
  }

  /** The plain rename of SFTP does not replace a file; OpenSSH's own does. */
  async #replace(from: string, to: string): Promise<void> {
    const plainly = (): Promise<void> => this.#ask(to, (done) => this.#sftp.rename(from, to, done));
    await this.#ask<void>(to, (done) => this.#sftp.ext_openssh_rename(from, to, done)).catch(
      (error: unknown) => {
        if (/does not support/.test(String((error as Error).message))) return plainly();
        throw error;
      },
    );
  }

  async #ask<T>(path: string, start: (done: Done<T>) => void): Promise<T> {
    return this.#connection
      .settle(start, { seconds: idleSeconds, signal: this.#signal })
      .catch((error: unknown) => {
        if (ToolError.is(error)) throw error;
        if (this.#signal.aborted) throw abortReason(this.#signal);
        const { code = 0, message } = error as { readonly code?: number; readonly message: string };
        const [kind, text] = meanings[code] ?? ["generic_error", `failed: ${message}`];
        throw new ToolError(kind, `${this.#connection.target.name}: ${path} ${text}.`, {
          hint: "Look at the folder with ls.",
          cause: error,
        });
      });
  }

  #failure(path: string, text: string): ToolError {
    return new ToolError("generic_error", `${this.#connection.target.name}: ${path} ${text}.`, {
      hint: "It was not copied.",
    });
  }
}
