import { parseDiff } from "./parse-diff.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { malformed, type FilePatch } from "./patch.ts";

/** Updates of one file that stand apart in the patch become one. */
function merged(patches: readonly FilePatch[]): readonly FilePatch[] {
  const byPath = new Map<string, FilePatch>();
  for (const patch of patches) {
    const before = byPath.get(patch.path);
    const both = before?.kind === "update" && patch.kind === "update" && before.movedTo === undefined;
    if (before !== undefined && !both) throw malformed(`${patch.path} occurs twice`);
    byPath.set(patch.path, both ? { ...patch, hunks: [...before.hunks, ...patch.hunks] } : patch);
  }
  return [...byPath.values()];
}

/**
 * Reads a patch in either form: `*** Begin Patch` … `*** End Patch`, or a unified diff. Throws ToolError
 * `invalid_value` naming the place, for what is no patch, and for what a patch of text files should not do:
 * links, submodules, binary files.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const isEnvelope = lines.some((line) => line.trim() === "*** Begin Patch");
  const patches = merged(isEnvelope ? parseEnvelope(lines) : parseDiff(lines));
  if (patches.length === 0) throw malformed("it names no file");
  return patches;
}
