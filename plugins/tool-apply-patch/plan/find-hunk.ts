import type { Hunk } from "../file-patch.ts";
import { LineIndex } from "./line-index.ts";
import type { TextLines } from "./text-lines.ts";

/** Places at which a hunk fits, in order. */
type Places = Iterable<number>;

/** Finds hunks in one text. */
export class HunkFinder {
  readonly #lines: TextLines;
  readonly #index: LineIndex;
  #trimmedIndex: LineIndex | undefined;

  constructor(lines: TextLines) {
    this.#lines = lines;
    this.#index = new LineIndex(lines.count, (index) => lines.bare(index));
  }

  /**
   * Every index at which a hunk fits the lines (without their ends). With anchors it fits where its old lines
   * first follow them; without old lines it goes after its anchors, to the line its header names, or to the
   * file's end.
   */
  *places(hunk: Hunk): Places {
    const before = hunk.lines.filter(({ mark }) => mark !== "+").map(({ text }) => text);
    const first = hunk.isLast === true ? Math.max(0, this.#lines.count - before.length) : 0;
    if (before.length === 0) yield* this.#placesForAdding(hunk);
    else if (hunk.anchors.length === 0) yield* this.#fits(before, first);
    else yield* this.#fitsAfterAnchors(before, first, hunk.anchors);
  }

  *#placesForAdding({ anchors, linesBefore = this.#lines.count }: Hunk): Places {
    if (anchors.length > 0) yield* this.#startsAfter(anchors, () => 0);
    else if (linesBefore <= this.#lines.count) yield linesBefore;
  }

  *#fits(before: readonly string[], first: number): Places {
    const run = this.#index.run(before);
    for (let at = this.#index.next(run, first); at !== undefined; at = this.#index.next(run, at + 1))
      yield at;
  }

  *#fitsAfterAnchors(before: readonly string[], first: number, anchors: readonly string[]): Places {
    const run = this.#index.run(before);
    let last = -1;
    for (const start of this.#startsAfter(anchors, () => last + 1)) {
      const fit = this.#index.next(run, Math.max(start, first));
      if (fit === undefined) return;
      yield fit;
      last = fit;
    }
  }

  /**
   * The index after each line that follows the anchors, one after the other. Those below `least` are left
   * out, except the first.
   */
  *#startsAfter(anchors: readonly string[], least: () => number): Places {
    this.#trimmedIndex ??= new LineIndex(this.#lines.count, (index) => this.#lines.bare(index).trim());
    const index = this.#trimmedIndex;
    const next = (anchor: string, from: number): number | undefined => index.next(index.run([anchor]), from);
    let from = 0;
    for (const anchor of anchors.slice(0, -1)) {
      const place = next(anchor, from);
      if (place === undefined) return;
      from = place + 1;
    }
    const last = anchors.at(-1) ?? "";
    for (let at = next(last, from); at !== undefined; at = next(last, Math.max(at + 1, least() - 1)))
      yield at + 1;
  }
}
