import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Clock } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import packageJson from "../package.json" with { type: "json" };
import { manifestConditions, manifestFiles, readManifest } from "./manifest.ts";

/** Raised when what is written changes its form. */
const format = 1;
/** Milliseconds after which a further change of a file surely gets another time. */
const settled = 2000;

/** By folder: the files as they were, and the manifest that was found good. */
type Entries = Readonly<Record<string, readonly [stamp: string, manifest: CompleteManifest]>>;

/**
 * Manifests that were checked at an earlier start, in a file. One whose files have another time, size or
 * inode is read and checked anew, and so are all where the file is damaged, or another Pergola has written
 * it.
 */
export class ManifestIndex {
  readonly #file: string;
  readonly #writer: string;
  readonly #clock: Clock;
  readonly #known: Entries;
  readonly #current: Record<string, Entries[string]> = {};
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
    const key = `${own ? "own" : "other"} ${folder}`;
    let entry = this.#known[key];
    if (entry?.[0] !== stamp) {
      entry = [stamp, readManifest(folder, own)];
      this.#isChanged = true;
    }
    this.#current[key] = entry;
    return entry[1];
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
  const facts = manifestFiles.map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false }));
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
