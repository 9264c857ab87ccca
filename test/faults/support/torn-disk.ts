import path from "node:path";
import type { Random } from "./random.ts";
import type { Step } from "./write-log.ts";

type Change = Exclude<Step, { readonly kind: "said" | "sync" }>;

/** A file that grows without being copied each time. */
class Grown {
  #room: Buffer;
  #length: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#room = Buffer.from(bytes);
    this.#length = bytes.length;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  setLength(length: number): void {
    if (length > this.#room.length)
      this.#room = Buffer.concat([this.bytes, Buffer.alloc(2 * length)], 2 * length);
    if (length < this.#length) this.#room.fill(0, length);
    this.#length = length;
  }

  write(bytes: Buffer, at: number): void {
    this.setLength(Math.max(this.#length, at + bytes.length));
    bytes.copy(this.#room, at);
  }
}

/** Bytes that a disk writes whole or not at all. */
const sector = 512;

/**
 * A disk that keeps what was synced. Of what came afterwards a loss of power leaves any part: a write may be
 * there, be missing, or be torn between its sectors, whatever became of those before it. A file that was
 * removed may be there again until its folder is synced.
 */
export class TornDisk {
  readonly #synced = new Map<string, Grown>();
  readonly #open = new Map<string, Change[]>();

  take(step: Step): void {
    if (step.kind === "said") return;
    const open = this.#open.get(step.file) ?? [];
    if (step.kind !== "sync") {
      open.push(step);
      this.#open.set(step.file, open);
      return;
    }
    for (const change of open) apply(this.#synced, change);
    this.#open.delete(step.file);
    this.#syncNames(step.file);
  }

  /** A folder that is synced has lost for good what was removed from it. */
  #syncNames(folder: string): void {
    for (const [file, changes] of this.#open) {
      const removed = changes.findLastIndex(({ kind }) => kind === "remove");
      if (removed < 0 || path.dirname(file) !== folder) continue;
      this.#synced.delete(file);
      this.#open.set(file, changes.slice(removed + 1));
    }
  }

  /** Changes that a loss of power at this moment could take. */
  get atRisk(): number {
    return [...this.#open.values()].reduce((sum, changes) => sum + changes.length, 0);
  }

  /** The files as the power may leave them at this moment. */
  afterCut({ between }: Random): ReadonlyMap<string, Buffer> {
    const left = new Map([...this.#synced].map(([file, { bytes }]) => [file, new Grown(bytes)]));
    for (const change of [...this.#open.values()].flat())
      for (const part of partsLeft(change, between)) apply(left, part);
    return new Map([...left].map(([file, { bytes }]) => [file, bytes]));
  }
}

/** The whole change, nothing of it, or some of its sectors. */
function partsLeft(change: Change, between: Random["between"]): readonly Change[] {
  const fate = between(0, 2);
  if (fate === 0) return [];
  if (fate === 1 || change.kind !== "write") return [change];
  const { file, at, bytes } = change;
  const starts = Array.from({ length: Math.ceil(bytes.length / sector) }, (_, index) => index * sector);
  return starts
    .filter(() => between(0, 1) === 0)
    .map((start) => ({ kind: "write", file, at: at + start, bytes: bytes.subarray(start, start + sector) }));
}

function apply(files: Map<string, Grown>, change: Change): void {
  if (change.kind === "remove") return void files.delete(change.file);
  const file = files.get(change.file) ?? new Grown();
  files.set(change.file, file);
  if (change.kind === "cut") file.setLength(change.length);
  else file.write(change.bytes, change.at);
}
