import type { FileChangeRecord } from "@pergola/sdk/host";
import type { Seen } from "./file-states.ts";
import { countsOf, textOf } from "./text-diff.ts";

export type LineCounts = Pick<FileChangeRecord, "additions" | "deletions">;

/** Milliseconds for the counts of all that a call, or a program that it ran, changes at once. */
export const patience = { call: 50, program: 500 } as const;
/** Bytes of the largest content whose lines are counted. */
export const largestCounted = 1_048_576;

/** Of what keeps its lines, such as a renamed file. */
export const noLines: LineCounts = { additions: 0, deletions: 0 };
export const uncounted: LineCounts = { additions: null, deletions: null };

const nothing = new Uint8Array();

/** The text of what stands somewhere; that of a folder is empty. undefined where it is none, or too long. */
function textIn({ state, bytes }: Seen): string | undefined {
  const content = state?.kind === "file" || state?.kind === "link" ? bytes : nothing;
  return content === undefined || content.length > largestCounted ? undefined : textOf(content);
}

/** Counts the lines that some changes add and remove, for so many milliseconds: a call waits for it. */
export class LineCounter {
  #left: number;

  constructor(patience: number) {
    this.#left = patience;
  }

  async count(before: Seen, after: Seen): Promise<LineCounts> {
    if (this.#left <= 0) return uncounted;
    const begun = performance.now();
    const [old, now] = [textIn(before), textIn(after)];
    if (old === undefined || now === undefined) return uncounted;
    const { structuredPatch } = await import("diff");
    const patch = structuredPatch("", "", old, now, "", "", { context: 0, timeout: this.#left });
    this.#left -= performance.now() - begun;
    return patch === undefined ? uncounted : countsOf(patch.hunks);
  }
}
