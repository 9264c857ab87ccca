import { unreadable, type FilePatch, type Hunk } from "../file-patch.ts";

const fileHeader = /^\*\*\* (Add|Update|Delete) File:(.*)$/;
const moveHeader = /^\*\*\* Move to:(.*)$/;
const endOfFile = "*** End of File";
const diffRange = /^-\d+(,\d+)? \+\d+(,\d+)? @@ ?/;

type HunkLine = Hunk["lines"][number];

/** Reads the lines between `*** Begin Patch` and `*** End Patch`. */
export function readBlocks(lines: readonly string[]): readonly FilePatch[] {
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  if (end < begin) throw unreadable("`*** End Patch` is missing");
  const blocks = blocksOf(lines.slice(begin + 1, end));
  return blocks.map(([header, body]) => filePatch(header, body));
}

type Block = readonly [header: string, body: string[]];

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    if (fileHeader.test(line)) blocks.push([line, []]);
    else if (blocks.length > 0) blocks.at(-1)?.[1].push(line);
    else if (line.trim() !== "") throw unreadable(`"${line.slice(0, 80)}" stands before any file`);
  }
  return blocks;
}

function filePatch(header: string, body: readonly string[]): FilePatch {
  const [, kind, name = ""] = fileHeader.exec(header) ?? [];
  const path = name.trim();
  if (path === "") throw unreadable(`"${header}" names no file`);
  if (kind === "Add") return { kind: "add", path, content: addedText(path, body) };
  if (kind === "Delete") {
    if (body.some((line) => line.trim() !== "")) throw unreadable(`lines follow the deletion of ${path}`);
    return { kind: "delete", path, hunks: [] };
  }
  return update(path, body);
}

function update(path: string, [first = "", ...rest]: readonly string[]): FilePatch {
  const movedTo = moveHeader.exec(first)?.[1]?.trim();
  if (movedTo === "") throw unreadable(`the move of ${path} names no file`);
  const hunks = hunksOf(path, movedTo === undefined ? [first, ...rest] : rest);
  if (hunks.length === 0 && movedTo === undefined) throw unreadable(`the update of ${path} changes nothing`);
  return { kind: "update", path, movedTo, hunks };
}

function addedText(path: string, body: readonly string[]): string {
  const lines = body.slice(0, body.findLastIndex((line) => line !== "") + 1);
  const wrong = lines.find((line) => !line.startsWith("+"));
  if (wrong !== undefined)
    throw unreadable(`in the new file ${path} the line "${wrong.slice(0, 80)}" does not begin with +`);
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

/**
 * Hunks begin with `@@`, which the first may leave out; the text after it is an anchor, and several in a row
 * narrow the place down.
 */
function hunksOf(path: string, body: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let lines: HunkLine[] = [];
  const close = (isLast: boolean): void => {
    const hunkLines = withoutTrailingBlank(lines);
    if (hunkLines.length > 0) hunks.push({ lines: hunkLines, anchors, isLast });
    if (lines.length > 0) [anchors, lines] = [[], []];
  };
  for (const line of body) {
    const anchor = anchorOf(line);
    if (anchor !== undefined) close(false);
    if (anchor !== undefined && anchor !== "") anchors.push(anchor);
    if (line === endOfFile) close(true);
    else if (anchor === undefined) lines.push(hunkLine(path, line));
  }
  close(false);
  return hunks;
}

/** The text after `@@`, without a diff's line numbers; undefined when the line begins no hunk. */
function anchorOf(line: string): string | undefined {
  if (line !== "@@" && !line.startsWith("@@ ")) return undefined;
  const text = line.slice(2).trim();
  return text.replace(diffRange, "").replace(/ ?@@$/, "").trim();
}

function hunkLine(path: string, line: string): HunkLine {
  const mark = line[0] ?? " ";
  if (mark === " " || mark === "-" || mark === "+") return { mark, text: line.slice(1) };
  throw unreadable(`in ${path} the line "${line.slice(0, 80)}" begins with none of space, - and +`);
}

/** A line without even a mark at the end of a hunk is space between blocks. */
function withoutTrailingBlank(lines: readonly HunkLine[]): readonly HunkLine[] {
  const last = lines.findLastIndex(({ mark, text }) => mark !== " " || text !== "");
  return lines.slice(0, last + 1);
}
