import { ToolError, type ToolContext } from "@pergola/sdk";
import type { RemoteFiles } from "./remote-files.ts";

export const mostFiles = 1000;
const deepest = 16;
const mostBytes = 256 << 20;

/** What a call copies with. */
export interface Copying {
  readonly remote: RemoteFiles;
  readonly context: ToolContext;
  readonly budget: CopyBudget;
}

/** A file that was copied: where it is on the other machine and here, and its bytes. */
export type Copied = { readonly remote: string; readonly path: string; readonly size: number };

/** Throws `generic_error` for a folder that lies too deep. */
export function checkDepth(folder: string, depth: number): void {
  if (depth <= deepest) return;
  throw new ToolError("generic_error", `${folder} lies too deep.`, {
    hint: `At most ${deepest} folders are entered.`,
  });
}

/** What one call may copy. */
export class CopyBudget {
  #files = 0;
  #bytes = 0;

  /** Counts a file; throws `generic_error` when it is one too many. */
  take(size: number): void {
    this.#files += 1;
    this.#bytes += size;
    if (this.#files <= mostFiles && this.#bytes <= mostBytes) return;
    const limits = `${mostFiles} files and ${mostBytes >> 20} MiB`;
    throw new ToolError("generic_error", `A call copies at most ${limits}.`, {
      hint: "Copy less, or pack the files into an archive first.",
    });
  }
}
