import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Clock } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import packageJson from "../package.json" with { type: "json" };
import { manifestConditions, manifestFiles, readManifest } from "./manifest.ts";

/** Raised when what is written changes its form. */
const format = 2;
/** Milliseconds after which a further change of a file surely gets another time. */
const settled = 2000;

/** What a plugin brings, as JSON, and the digest of its files at that time. */
type Description = readonly [digest: string, text: string];

/** By folder: the files as they were, the manifest that was found good, and what the code brought. */
type Entry = readonly [stamp: string, manifest: CompleteManifest, description?: Description];
type Entries = Readonly<Record<string, Entry>>;

const keyOf = (folder: string, own: boolean): string => `${own ? "own" : "other"} ${folder}`;

/**
 * Manifests that were checked at an earlier start, in a file, and what plugins brought whose code can wait.
 * One whose files have another time, size or inode is read and checked anew, and so are all where the file is
 * damaged, or another Pergola has written it.
 */
export class ManifestIndex {
  readonly #file: string;
  readonly #writer: string;
  readonly #clock: Clock;
  readonly #known: Entries;
  readonly #current: Record<string, Entry> = {};
  #isChanged = false;

  /** `writer` says by which code and for whom manifests are checked. */
  constructor(file: string, writer: string, clock: Clock = Date) {
    this.#file = file;
    this.#writer = writer;
    this.#clock = clock;
    this.#known = this.#read();
  }

  /** What `readManifest` gives, and throws. */
  manifestIn(folder: string, own: boolean): CompleteManifest {
    const stamp = stampOf(folder, this.#clock.now() - settled);
    if (stamp === undefined) return readManifest(folder, own);
    const key = keyOf(folder, own);
    let entry = this.#known[key];
    if (entry?.[0] !== stamp) {
      entry = [stamp, readManifest(folder, own)];
      this.#isChanged = true;
    }
    this.#current[key] = entry;
    return entry[1];
  }

  /** What a plugin of others brings whose files have this digest, as JSON; undefined = not known. */
  descriptionIn(folder: string, digest: string): string | undefined {
    const [known, text] = this.#current[keyOf(folder, false)]?.[2] ?? [];
    return known === digest ? text : undefined;
  }

  /** Notes what a plugin of others brings. Without its manifest in the index nothing is noted. */
  describe(folder: string, description: Description): void {
    const key = keyOf(folder, false);
    const known = this.#current[key];
    if (known === undefined) return;
    this.#current[key] = [known[0], known[1], description];
    this.#isChanged = true;
  }

  /** Writes down what was asked for. Where that fails, the next start reads manifests as this one did. */
  keep(): void {
    const isLess = Object.keys(this.#current).length < Object.keys(this.#known).length;
    if (!this.#isChanged && !isLess) return;
    const body = JSON.stringify(this.#current);
    try {
      writeFileSync(`${this.#file}.new`, `${this.#digest(body)}\n${body}`, { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
      this.#isChanged = false;
    } catch {
      // The disk is full, or the folder belongs to another account.
    }
  }

  #read(): Entries {
    try {
      const [digest, body = ""] = readFileSync(this.#file, "utf8").split("\n");
      return digest === this.#digest(body) ? (JSON.parse(body) as Entries) : {};
    } catch {
      return {};
    }
  }

  #digest(body: string): string {
    return createHash("sha256").update(`${this.#writer}\n${body}`).digest("hex");
  }
}

/**
 * The state of the files of a manifest; undefined where one was changed after `settledBefore`: a further
 * change could go unnoticed.
 */
function stampOf(folder: string, settledBefore: number): string | undefined {
  const facts = manifestFiles.map((name) => statSync(folder + path.sep + name, { throwIfNoEntry: false }));
  if (facts.some((one) => one !== undefined && one.ctimeMs > settledBefore)) return undefined;
  return facts.map((one) => one && [one.mtimeMs, one.ctimeMs, one.size, one.ino].join(" ")).join(", ");
}

/**
 * The index of a data directory; undefined in a run from sources, where the code that checks manifests may be
 * another at each start.
 */
export function openManifestIndex(dataDirectory: string): ManifestIndex | undefined {
  const { filename } = import.meta;
  if (filename.endsWith(".ts")) return undefined;
  const built = statSync(filename).mtimeMs;
  const writer = JSON.stringify([format, packageJson.version, built, ...manifestConditions]);
  return new ManifestIndex(path.join(dataDirectory, "manifests.json"), writer);
}
