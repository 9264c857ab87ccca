import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { sha256 } from "../file-states.ts";
import { entryOf, type Entry, type Snapshot } from "./snapshot.ts";

/** Bytes of one snapshot that are kept, and those after which all is thrown away between two calls. */
const [mostAtOnce, mostInAll] = [268_435_456, 1_073_741_824];
/** Files whose content is remembered by their marks. */
const mostKnown = 500_000;
/** Milliseconds within which a file may be written twice and keep its times. */
const grain = 50;
const atOnce = 64;

/**
 * Copies of the files in folders where programs run, made before they run; what a program changes is taken
 * from here.
 */
export class Shadow {
  readonly #folder: string;
  /** The content of a file that has not been written to, by its mark. */
  readonly #known = new Map<string, string>();
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Copies what is not copied yet, and notes in the entries what they hold. Gives back why something was left
   * out.
   */
  async keep({ entries }: Snapshot, limit: number): Promise<string | undefined> {
    let [copied, read] = [0, 0];
    for (const [file, entry] of entries) {
      if (entry.kind !== "file" || entry.size > limit) continue;
      if ((copied += entry.size) > mostAtOnce)
        return `The files hold more than ${mostAtOnce / 1_048_576} MiB; of the rest nothing is kept.`;
      const known = this.#known.get(entry.mark);
      const digest = known ?? this.#copy(file, entry);
      if (digest !== undefined) entry.sha256 = digest;
      if (known === undefined && ++read % atOnce === 0) await setImmediate();
    }
    return undefined;
  }

  /** undefined where it is gone. */
  read(digest: string): Uint8Array | undefined {
    try {
      const bytes = readFileSync(this.#place(digest));
      if (sha256(bytes) === digest) return bytes;
    } catch {
      // It is gone.
    }
    return undefined;
  }

  /** Only while no call needs it. */
  trim(): void {
    if (this.#bytes > mostInAll || this.#known.size > mostKnown) this.clear();
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.#known.clear();
    this.#bytes = 0;
  }

  #copy(file: string, entry: Entry): string | undefined {
    const bytes = readExactly(file, entry);
    if (bytes === undefined) return undefined;
    const digest = sha256(bytes);
    const place = this.#place(digest);
    if (!existsSync(place)) {
      mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
      writeFileSync(place, bytes, { mode: 0o600 });
      this.#bytes += bytes.length;
    }
    if (isSettled(entry)) this.#known.set(entry.mark, digest);
    return digest;
  }

  #place(digest: string): string {
    return path.join(this.#folder, digest.slice(0, 2), digest);
  }
}

/** Whether a later write must show in the file's times. */
export const isSettled = ({ mark }: Entry): boolean => Date.now() - Number(mark.split(":").at(-1)) > grain;

/**
 * The bytes of the very file that was looked at; undefined when another one stands there, or nobody may read
 * it.
 */
export function readExactly(file: string, { mark }: Entry): Uint8Array | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (entryOf(fstatSync(fd)).mark !== mark) return undefined;
    return readFileSync(fd);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
