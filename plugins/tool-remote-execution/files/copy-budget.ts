import { ToolError } from "@pergola/sdk";

export const mostFiles = 1000;
export const deepest = 16;
const mostBytes = 256 << 20;

/** What one call may copy. */
export class CopyBudget {
  #files = 0;
  #bytes = 0;

  /** Counts a file; throws `generic_error` when it is one too many. */
  take(size: number): void {
    this.#files += 1;
    this.#bytes += size;
    if (this.#files <= mostFiles && this.#bytes <= mostBytes) return;
    throw new ToolError(
      "generic_error",
      `A call copies at most ${mostFiles} files and ${mostBytes >> 20} MiB.`,
      {
        hint: "Copy less, or pack the files into an archive first.",
      },
    );
  }
}
