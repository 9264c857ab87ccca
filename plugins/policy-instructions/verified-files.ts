import { lstat } from "node:fs/promises";
import path from "node:path";
import { digestOfEntry, readOrdinary, sha256, type DigestOf, type TrustedFiles } from "@pergola/sdk/host";

/** Milliseconds after which a change cannot have the time stamp of the change before. */
const settled = 2000;
/** Files whose digests are remembered. */
const mostKnown = 10_000;

interface Known {
  readonly signature: string;
  readonly found: Awaited<ReturnType<DigestOf>>;
}

/** Digests of files. What the file system says has not changed is not read again. */
export class FileDigests {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  readonly of: DigestOf = async (entry) => {
    const { dev, ino, size, mode, mtimeNs, ctimeNs, ctimeMs } = await lstat(entry.name, { bigint: true });
    const signature = [dev, ino, size, mode, mtimeNs, ctimeNs].join(" ");
    const known = this.#known.get(entry.name);
    if (known?.signature === signature) return known.found;
    const found = await digestOfEntry(entry);
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (this.#now() - Number(ctimeMs) > settled) this.#known.set(entry.name, { signature, found });
    return found;
  };
}

/** What a file is compared with: what its folder is trusted with. */
export interface Trusted {
  /** A real path. */
  readonly folder: string;
  readonly digests: TrustedFiles;
}

/** The text of a file that is as it was trusted; otherwise how it differs. */
export type Verified =
  | { readonly text: string; readonly digest: string }
  | { readonly difference: "has changed" | "has come" | "cannot be read" };

export async function readVerified({ folder, digests }: Trusted, name: string): Promise<Verified> {
  const trusted = Object.hasOwn(digests, name) ? digests[name] : undefined;
  if (trusted === undefined) return { difference: "has come" };
  const bytes = await readOrdinary(path.join(folder, name));
  if (bytes === undefined) return { difference: "cannot be read" };
  if (sha256(bytes) !== trusted) return { difference: "has changed" };
  return { text: bytes.toString(), digest: trusted };
}

/** How the files below a folder differ from what it is trusted with, by their names; empty if in nothing. */
export function differences(
  { digests }: Trusted,
  below: string,
  now: TrustedFiles,
): ReadonlyMap<string, "has changed" | "has come" | "is gone"> {
  const found = new Map<string, "has changed" | "has come" | "is gone">();
  for (const [name, digest] of Object.entries(now)) {
    if (!Object.hasOwn(digests, name)) found.set(name, "has come");
    else if (digests[name] !== digest) found.set(name, "has changed");
  }
  const prefix = below + path.sep;
  const gone = Object.keys(digests).filter((name) => name.startsWith(prefix) && !Object.hasOwn(now, name));
  for (const name of gone) found.set(name, "is gone");
  return found;
}
