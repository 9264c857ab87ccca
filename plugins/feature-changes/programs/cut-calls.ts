import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Owner } from "../records.ts";
import type { Entry, Snapshot } from "./snapshot.ts";

/** A call that ran programs when the service was cut. */
export interface CutCall {
  readonly callId: string;
  readonly owner: Owner;
  readonly roots: readonly string[];
  readonly before: Snapshot;
}

/**
 * What was seen before programs ran, one file for each call at work: after a crash it still tells what they
 * have changed.
 */
export class CutCalls {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  note({ callId, owner, roots, before }: CutCall): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const { entries, listed, gap } = before;
    writeFileSync(
      this.#place(callId),
      JSON.stringify({ owner, roots, gap, entries: [...entries], listed: [...listed] }),
      { mode: 0o600 },
    );
  }

  forget(callId: string): void {
    rmSync(this.#place(callId), { force: true });
  }

  /** Those that the last host left. One whose writing was cut had not begun. */
  leftovers(): readonly CutCall[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => this.#read(path.parse(name).name) ?? []);
    } catch {
      return [];
    }
  }

  #read(callId: string): CutCall | undefined {
    try {
      const { owner, roots, gap, entries, listed } = JSON.parse(
        readFileSync(this.#place(callId), "utf8"),
      ) as {
        readonly owner: Owner;
        readonly roots: readonly string[];
        readonly gap?: string;
        readonly entries: readonly (readonly [string, Entry])[];
        readonly listed: readonly string[];
      };
      return { callId, owner, roots, before: { entries: new Map(entries), listed: new Set(listed), gap } };
    } catch {
      return undefined;
    }
  }

  #place(callId: string): string {
    return path.join(this.#folder, `${callId}.json`);
  }
}
