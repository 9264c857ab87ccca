import { hunkHeader, nextHeaders, type Headers, type Reader } from "./diff-headers.ts";
import { hunkOf, malformed, type FilePatch, type Hunk, type HunkLine } from "./patch.ts";

/** Lines that a hunk still has to have, by the counts in its header. */
interface Due {
  old: number;
  fresh: number;
}

/** Reads a unified diff as diff and git write it. Throws ToolError `invalid_value`. */
export function parseDiff(lines: readonly string[]): readonly FilePatch[] {
  const reader: Reader = { lines, at: 0 };
  const patches: FilePatch[] = [];
  for (let headers = nextHeaders(reader, false); headers !== undefined; headers = nextHeaders(reader, true)) {
    patches.push(filePatch(headers, readHunks(reader)));
  }
  return patches;
}

function filePatch({ old, fresh, isRename }: Headers, hunks: readonly Hunk[]): FilePatch {
  if (old === undefined && fresh !== undefined)
    return { kind: "add", path: fresh, content: addedText(fresh, hunks) };
  if (old !== undefined && fresh === undefined) return { kind: "delete", path: old, hunks };
  if (old === undefined || (!isRename && old !== fresh))
    throw malformed(`${old ?? "/dev/null"} and ${fresh ?? "/dev/null"} are two names for one file`);
  if (isRename) return { kind: "update", path: old, movedTo: fresh, hunks };
  if (hunks.length === 0) throw malformed(`the update of ${old} changes nothing`);
  return { kind: "update", path: old, movedTo: undefined, hunks };
}

function addedText(path: string, hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.some(({ mark }) => mark !== "+"))
    throw malformed(`the new file ${path} has lines that are not new`);
  const text = lines.map((line) => `${line.text}\n`).join("");
  return hunks.at(-1)?.newIsOpen === true ? text.slice(0, -1) : text;
}

function readHunks(reader: Reader): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const header = (): RegExpExecArray | null => hunkHeader.exec(reader.lines[reader.at] ?? "");
  for (let match = header(); match !== null; match = header()) {
    const [, start = "0", oldCount = "1", , newCount = "1"] = match;
    reader.at += 1;
    hunks.push(readHunk(reader, Number(start), { old: Number(oldCount), fresh: Number(newCount) }));
  }
  return hunks;
}

const isDue = ({ old, fresh }: Due): boolean => old > 0 || fresh > 0;

/**
 * Whether a file's headers stand here, and not a deleted line `-- …` and an added line `++ …` that the counts
 * still ask for.
 */
function beginsFile({ lines, at }: Reader, due: Due): boolean {
  const [old = "", fresh = "", hunk = ""] = lines.slice(at, at + 3);
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  return !isDue(due) || (hunkHeader.test(hunk) && !(due.old === 1 && due.fresh === 1));
}

/**
 * Reads one hunk. Its counts are believed as long as they fit; written by hand they often do not, and then it
 * ends where the next hunk or file begins. Throws for a line without a mark while lines are due: what follows
 * it would be lost.
 */
function readHunk(reader: Reader, start: number, due: Due): Hunk {
  const lines: HunkLine[] = [];
  const open = { old: false, fresh: false };
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    const isSignature = line === "-- " && !isDue(due);
    if (hunkHeader.test(line) || line.startsWith("diff --git ") || isSignature || beginsFile(reader, due))
      break;
    const mark = line === "" && isDue(due) ? " " : line.charAt(0);
    if (mark === "\\") {
      open.old ||= lines.at(-1)?.mark !== "+";
      open.fresh ||= lines.at(-1)?.mark !== "-";
    } else if (mark === " " || mark === "-" || mark === "+") {
      lines.push({ mark, text: line.slice(1) });
      due.old -= mark === "+" ? 0 : 1;
      due.fresh -= mark === "-" ? 0 : 1;
    } else if (line !== "" && isDue(due))
      throw malformed(`the line "${line.slice(0, 80)}" in a hunk begins with none of space, - and +`);
    else break;
  }
  return hunkOf(lines, { linesBefore: start, oldIsOpen: open.old, newIsOpen: open.fresh });
}
