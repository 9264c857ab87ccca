import { open, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isObject, messageOf } from "@pergola/sdk";
import type { Sealed } from "./seal.ts";

/** A secret in the file, or a note that the system's key store has it. */
export type Entry = Sealed | { readonly keyring: true };

/** Milliseconds: for which a writer is waited for, and after which one that has died is no longer. */
const [patience, longestWrite] = [5000, 30_000];

/** `secrets.json` of the data directory: every name, and what is kept under it. */
export class Entries {
  readonly #file: string;

  constructor(dataDirectory: string) {
    this.#file = path.join(dataDirectory, "secrets.json");
  }

  /** Rejects with AppError `storage_unavailable` for a file that cannot be read. */
  async read(): Promise<ReadonlyMap<string, Entry>> {
    try {
      const { secrets } = JSON.parse(await readFile(this.#file, "utf8")) as { readonly secrets?: unknown };
      if (!isObject(secrets)) throw new Error("it holds no secrets");
      return new Map(Object.entries(secrets as Readonly<Record<string, Entry>>));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return new Map();
      const message = `${this.#file} cannot be read (${messageOf(cause)}). Restore it from a backup.`;
      throw new AppError({ code: "storage_unavailable", message, cause });
    }
  }

  /**
   * Changes the file as a whole. The new file is the lock: whoever writes has it, another process too, waits
   * for its turn.
   */
  async change(change: (entries: Map<string, Entry>) => void): Promise<void> {
    const next = `${this.#file}.new`;
    const handle = await this.#lock(next);
    try {
      const entries = new Map(await this.read());
      change(entries);
      await handle.writeFile(`${JSON.stringify({ secrets: Object.fromEntries(entries) }, null, 2)}\n`);
      await handle.sync();
      await rename(next, this.#file);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  }

  async #lock(file: string) {
    for (const begun = Date.now(); ;) {
      try {
        return await open(file, "wx", 0o600);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        if (Date.now() - begun > patience) throw busy(file);
        await removeLeft(file);
        await sleep(20);
      }
    }
  }
}

/** What a writer that has died has left. */
async function removeLeft(file: string): Promise<void> {
  const left = await stat(file).catch(() => undefined);
  if (left !== undefined && Date.now() - left.mtimeMs > longestWrite) await rm(file, { force: true });
}

const busy = (file: string): AppError =>
  new AppError({
    code: "storage_unavailable",
    message: `Another program is writing ${file}. Try again; delete the file if nobody is.`,
  });
