import { unreadable, type FilePatch } from "../file-patch.ts";
import { readBlocks } from "./read-blocks.ts";
import { readDiff } from "./read-diff.ts";

/**
 * Reads a patch in either form. Throws ToolError `invalid_value` for what is none, and for links, submodules
 * and binary files.
 */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const isBlocks = lines.some((line) => line.trim() === "*** Begin Patch");
  const parts = joined(isBlocks ? readBlocks(lines) : readDiff(lines));
  if (parts.length === 0) throw unreadable("it names no file");
  return parts;
}

/** Several plain updates of one file become one; any other second mention is an error. */
function joined(parts: readonly FilePatch[]): readonly FilePatch[] {
  const byPath = new Map<string, FilePatch>();
  for (const part of parts) {
    const before = byPath.get(part.path);
    if (before === undefined) byPath.set(part.path, part);
    else if (before.kind === "update" && before.movedTo === undefined && part.kind === "update")
      byPath.set(part.path, { ...part, hunks: [...before.hunks, ...part.hunks] });
    else throw unreadable(`${part.path} occurs twice`);
  }
  return [...byPath.values()];
}
