import { ToolError } from "@pergola/sdk";
import { outlineOf, type PartOutline } from "./patch-outline.ts";
import { patchThreads } from "./patch-thread.ts";
import { newContents, type PatchInput } from "./plan/new-contents.ts";
import { readPatch } from "./read/read-patch.ts";

/** Bytes of patch and files that cost less than a thread would. */
const smallWork = 128 << 10;
/** Characters of a patch. */
const longestPatch = 16 << 20;

/**
 * What a patch does to which files: at once for a small one, else worked out in a thread. Throws or rejects
 * with ToolError `invalid_value` when it cannot be read.
 */
export function readOutline(patch: string): readonly PartOutline[] | Promise<readonly PartOutline[]> {
  if (patch.length > longestPatch)
    throw new ToolError("invalid_value", `The patch is longer than ${longestPatch >> 20} MiB.`, {
      hint: "Nothing was changed. Split it into smaller ones.",
    });
  if (patch.length <= smallWork) return outlineOf(readPatch(patch));
  return patchThreads.run("outline", patch);
}

/** The new contents of the files; large ones are worked out in a thread, which ends on an abort. */
export async function applyPatch(
  input: PatchInput,
  signal: AbortSignal,
): Promise<readonly (string | Uint8Array | undefined)[]> {
  const bytes = input.sources.reduce((sum, source) => sum + (source?.length ?? 0), input.patch.length);
  return bytes <= smallWork ? newContents(input) : patchThreads.run("contents", input, { signal });
}
