import { parsePatch } from "diff/lib/patch/parse.js";
import { unreadable, type FilePatch, type Hunk } from "../file-patch.ts";
import { recounted } from "./recounted.ts";

type FileDiff = ReturnType<typeof parsePatch>[number];

const refused: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(GIT binary patch|Binary files .* differ)$/m, "it changes binary files"],
  [/^(new file|new|deleted file|old) mode 1[26]0000$/m, "it makes or changes a link or a submodule"],
];

/** Reads a unified diff, as diff and git write it; the counts in its headers may be wrong. */
export function readDiff(all: readonly string[]): readonly FilePatch[] {
  const lines = withoutSignatures(withoutProse(all));
  const text = lines.join("\n");
  const reason = refused.find(([pattern]) => pattern.test(text))?.[1];
  if (reason !== undefined) throw unreadable(reason);
  const files = parsed(lines);
  requireAllLines(lines, files);
  return files.map(filePatch);
}

const firstLine = /^(diff --git |Index: |--- |@@ )/;

/** Without what a mail says before its changes. No line of a hunk begins with `From `. */
function withoutProse(lines: readonly string[]): readonly string[] {
  let isProse = true;
  return lines.filter((line) => {
    isProse = isProse ? !firstLine.test(line) : line.startsWith("From ");
    return !isProse;
  });
}

/** Without the `-- ` and version that end a patch sent by mail; no line of a hunk begins with a digit. */
const withoutSignatures = (lines: readonly string[]): readonly string[] => {
  const isSignature = (at: number): boolean => lines[at] === "-- " && /^\d/.test(lines[at + 1] ?? "");
  return lines.filter((_, at) => !isSignature(at) && !isSignature(at - 1));
};

function parsed(lines: readonly string[]): readonly FileDiff[] {
  try {
    return files(lines);
  } catch {
    try {
      return files(recounted(lines));
    } catch (cause) {
      throw unreadable((cause as Error).message.replace(/\.$/, ""));
    }
  }
}

const files = (lines: readonly string[]): readonly FileDiff[] => parsePatch(lines.join("\n")).filter(isFile);
const isFile = ({ hunks, oldFileName }: FileDiff): boolean => hunks.length > 0 || oldFileName !== undefined;

/**
 * What looks like a change must be part of one: the reader skips what it does not know, and half a patch is
 * none.
 */
function requireAllLines(lines: readonly string[], read: readonly FileDiff[]): void {
  const isChange = (line: string): boolean => /^[+-]/.test(line) && line !== "---";
  const hunks = read.flatMap((file) => file.hunks);
  const known = hunks.flatMap((hunk) => hunk.lines.filter(isChange)).length;
  const headers = 2 * read.filter(({ oldHeader }) => oldHeader !== undefined).length;
  if (lines.filter(isChange).length > known + headers)
    throw unreadable("some of its changed lines belong to no hunk");
}

function filePatch(file: FileDiff): FilePatch {
  const [old, fresh] = namesOf(file);
  const hunks = file.hunks.map(hunkOf);
  if (file.isCopy === true) throw unreadable("it copies a file: add the file instead");
  if (old === undefined && fresh !== undefined)
    return { kind: "add", path: fresh, content: addedText(fresh, hunks) };
  if (old !== undefined && fresh === undefined) return { kind: "delete", path: old, hunks };
  if (old === undefined || fresh === undefined) throw unreadable("a hunk stands before any file header");
  if (file.isRename === true) return { kind: "update", path: old, movedTo: fresh, hunks };
  if (old !== fresh) throw unreadable(`${old} and ${fresh} are two names for one file`);
  if (hunks.length === 0) throw unreadable(`it changes nothing in ${fresh} but perhaps its mode`);
  return { kind: "update", path: old, hunks };
}

type Names = readonly [old: string | undefined, fresh: string | undefined];

/** Both paths, undefined for `/dev/null`; without git's `a/` and `b/` when both have them. */
function namesOf({ oldFileName, newFileName, isCreate, isDelete }: FileDiff): Names {
  const old = nameOf(oldFileName, isCreate);
  const fresh = nameOf(newFileName, isDelete);
  const hasPrefixes = (old ?? "a/").startsWith("a/") && (fresh ?? "b/").startsWith("b/");
  return hasPrefixes ? [old?.slice(2), fresh?.slice(2)] : [old, fresh];
}

function nameOf(name: string | undefined, isMissing = false): string | undefined {
  if (name === "" && !isMissing) throw unreadable("a file header names no file");
  return isMissing || name === "/dev/null" ? undefined : name;
}

function hunkOf({ oldStart, oldLines, lines }: FileDiff["hunks"][number]): Hunk {
  const marked = lines.map((line) => line || " ");
  const isNote = (line = ""): boolean => line.startsWith("\\");
  const openMarks = marked.filter((_, at) => isNote(marked[at + 1])).map((line) => line[0]);
  const content = marked.filter((line) => !isNote(line));
  return {
    lines: content.map((line) => ({
      mark: line[0] as " " | "-" | "+",
      text: line.slice(1),
    })),
    anchors: [],
    linesBefore: oldLines === 0 ? Math.max(0, oldStart - 1) : undefined,
    ...(openMarks.length > 0 && { endsOpen: openMarks.some((mark) => mark !== "-") }),
  };
}

function addedText(path: string, hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.some(({ mark }) => mark !== "+"))
    throw unreadable(`the new file ${path} has lines that are not new`);
  const text = lines.map((line) => `${line.text}\n`).join("");
  return hunks.at(-1)?.endsOpen === true ? text.slice(0, -1) : text;
}
