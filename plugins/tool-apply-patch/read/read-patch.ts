import { unreadable, type FilePatch } from "../file-patch.ts";
import { readBlocks } from "./read-blocks.ts";
import { readDiff } from "./read-diff.ts";

/** Each file is looked for, locked, backed up and shown to whoever must allow the call. */
const mostFiles = 2000;

/**
 * Reads a patch in either form. Throws ToolError `invalid_value` for what is none, and for links, submodules
 * and binary files.
 */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const isBlocks = lines.some((line) => line.trim() === "*** Begin Patch");
  const parts = joined(isBlocks ? readBlocks(lines) : readDiff(lines));
  if (parts.length === 0) throw unreadable("it names no file");
  if (parts.length > mostFiles) throw unreadable(`it changes more than ${mostFiles} files`);
  return parts;
}

/** Several plain updates of one file become one; any other second mention is an error. */
function joined(parts: readonly FilePatch[]): readonly FilePatch[] {
  const byPath = new Map<string, [FilePatch, ...FilePatch[]]>();
  for (const part of parts) {
    const same = byPath.get(part.path);
    if (same === undefined) byPath.set(part.path, [part]);
    else if (isPlainUpdate(same.at(-1)!) && part.kind === "update") same.push(part);
    else throw unreadable(`${part.path} occurs twice`);
  }
  return [...byPath.values()].map(oneOf);
}

const isPlainUpdate = (part: FilePatch): boolean => part.kind === "update" && part.movedTo === undefined;

function oneOf([first, ...more]: readonly [FilePatch, ...FilePatch[]]): FilePatch {
  const last = more.at(-1);
  if (last?.kind !== "update") return first;
  return { ...last, hunks: [first, ...more].flatMap((part) => (part.kind === "add" ? [] : part.hunks)) };
}
