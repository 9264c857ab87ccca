import { diffPath, withoutPrefixes } from "./diff-path.ts";
import { hunkOf, malformed, type FilePatch, type Hunk, type HunkLine } from "./patch.ts";

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const refused: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(GIT binary patch|Binary files .* differ)/, "it changes binary files"],
  [/^copy from /, "it copies a file, which is not supported: add the file instead"],
  [/^(new file|new|deleted file|old) mode 1(2|6)0000/, "it makes or changes a link or a submodule"],
];

/** The lines of a diff, read from the top. */
interface Reader {
  readonly lines: readonly string[];
  at: number;
}

/** What stands before a file's hunks. */
interface Headers {
  old: string | undefined;
  fresh: string | undefined;
  renamedFrom?: string;
  renamedTo?: string;
}

/** Reads a unified diff as diff and git write it. Throws ToolError `invalid_value`. */
export function parseDiff(lines: readonly string[]): readonly FilePatch[] {
  const reader: Reader = { lines, at: 0 };
  const patches: FilePatch[] = [];
  for (let headers = nextHeaders(reader); headers !== undefined; headers = nextHeaders(reader)) {
    patches.push(filePatch(headers, readHunks(reader)));
  }
  return patches;
}

/** Skips to the next file and reads its headers; undefined at the end. A git section may have headers only. */
function nextHeaders(reader: Reader): Headers | undefined {
  const headers: Headers = { old: undefined, fresh: undefined };
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    const next = reader.lines[reader.at + 1] ?? "";
    const reason = refused.find(([pattern]) => pattern.test(line))?.[1];
    if (reason !== undefined) throw malformed(reason);
    if (line.startsWith("rename from ")) headers.renamedFrom = diffPath(line.slice(12)) ?? "";
    if (line.startsWith("rename to ")) headers.renamedTo = diffPath(line.slice(10)) ?? "";
    if (hunkHeader.test(line)) throw malformed("a hunk stands before any file header");
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      reader.at += 2;
      [headers.old, headers.fresh] = withoutPrefixes(diffPath(line.slice(4)), diffPath(next.slice(4)));
      return headers;
    }
    const isOver = headers.renamedTo !== undefined && (next.startsWith("diff --git ") || reader.at + 1 === reader.lines.length);
    if (isOver) {
      reader.at += 1;
      return headers;
    }
  }
  return undefined;
}

function filePatch({ old, fresh, renamedFrom, renamedTo }: Headers, hunks: readonly Hunk[]): FilePatch {
  if (renamedFrom !== undefined && renamedTo !== undefined) return { kind: "update", path: renamedFrom, movedTo: renamedTo, hunks };
  if (old === undefined && fresh !== undefined) return { kind: "add", path: fresh, content: addedText(fresh, hunks) };
  if (old !== undefined && fresh === undefined) return { kind: "delete", path: old, hunks };
  if (old === undefined || old !== fresh) throw malformed(`${old ?? "/dev/null"} and ${fresh ?? "/dev/null"} are two names for one file`);
  if (hunks.length === 0) throw malformed(`the update of ${old} changes nothing`);
  return { kind: "update", path: old, movedTo: undefined, hunks };
}

function addedText(path: string, hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.some(({ mark }) => mark !== "+")) throw malformed(`the new file ${path} has lines that are not new`);
  const text = lines.map((line) => `${line.text}\n`).join("");
  return hunks.at(-1)?.newIsOpen === true ? text.slice(0, -1) : text;
}

function readHunks(reader: Reader): readonly Hunk[] {
  const hunks: Hunk[] = [];
  for (let match = hunkHeader.exec(reader.lines[reader.at] ?? ""); match !== null; match = hunkHeader.exec(reader.lines[reader.at] ?? "")) {
    const [, start = "0", oldCount = "1", , newCount = "1"] = match;
    reader.at += 1;
    hunks.push(readHunk(reader, Number(start), { old: Number(oldCount), fresh: Number(newCount) }));
  }
  return hunks;
}

/** Whether a file's headers stand here, and not a deleted line `-- …` and an added line `++ …` that the counts still ask for. */
function beginsFile({ lines, at }: Reader, left: { readonly old: number; readonly fresh: number }): boolean {
  const [old = "", fresh = "", hunk = ""] = lines.slice(at, at + 3);
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  const isDue = left.old > 0 || left.fresh > 0;
  return !isDue || (hunkHeader.test(hunk) && !(left.old === 1 && left.fresh === 1));
}

/**
 * Reads one hunk. Its counts are believed as long as they fit; written by hand they often do not, and then it ends where the next hunk
 * or file begins.
 */
function readHunk(reader: Reader, start: number, left: { old: number; fresh: number }): Hunk {
  const lines: HunkLine[] = [];
  const open = { old: false, fresh: false };
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    const isDue = left.old > 0 || left.fresh > 0;
    if (hunkHeader.test(line) || line.startsWith("diff --git ") || beginsFile(reader, left)) break;
    const last = lines.at(-1)?.mark;
    if (line.startsWith("\\")) {
      open.old ||= last !== "+";
      open.fresh ||= last !== "-";
      continue;
    }
    if (line === "" && !isDue) break;
    const mark = line === "" ? " " : line.charAt(0);
    if (mark !== " " && mark !== "-" && mark !== "+") break;
    left.old -= mark === "+" ? 0 : 1;
    left.fresh -= mark === "-" ? 0 : 1;
    lines.push({ mark, text: line.slice(1) });
  }
  return hunkOf(lines, { linesBefore: start, oldIsOpen: open.old, newIsOpen: open.fresh });
}
