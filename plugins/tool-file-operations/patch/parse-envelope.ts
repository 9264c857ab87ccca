import { hunkOf, malformed, type FilePatch, type Hunk, type HunkLine } from "./patch.ts";

const header = /^\*\*\* (Add|Update|Delete) File: *(.*?) *$/;
const moveHeader = /^\*\*\* Move to: *(.*?) *$/;
const marks: readonly string[] = [" ", "-", "+"];

/** Reads the form between `*** Begin Patch` and `*** End Patch`. Throws ToolError `invalid_value`. */
export function parseEnvelope(lines: readonly string[]): readonly FilePatch[] {
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  const end = lines.findLastIndex((line) => line.trim() === "*** End Patch");
  if (end < begin) throw malformed("`*** End Patch` is missing");
  const body = lines.slice(begin + 1, end);
  const starts = body.flatMap((line, index) => (header.test(line) ? [index] : []));
  const stray = body.slice(0, starts[0] ?? body.length).find((line) => line.trim() !== "");
  if (stray !== undefined) throw malformed(`"${stray.slice(0, 80)}" stands before any file`);
  return starts.map((start, index) => filePatch(body.slice(start, starts[index + 1] ?? body.length)));
}

function filePatch([first = "", ...body]: readonly string[]): FilePatch {
  const [, kind, path = ""] = header.exec(first) ?? [];
  if (path === "") throw malformed(`"${first}" names no file`);
  if (kind === "Add") return { kind: "add", path, content: addedText(path, body) };
  if (kind === "Delete") return { kind: "delete", path, hunks: [] };
  const movedTo = moveHeader.exec(body[0] ?? "")?.[1];
  const hunks = parseHunks(path, movedTo === undefined ? body : body.slice(1));
  if (hunks.length === 0 && movedTo === undefined) throw malformed(`the update of ${path} changes nothing`);
  return { kind: "update", path, movedTo, hunks };
}

function addedText(path: string, body: readonly string[]): string {
  const lines = body.at(-1) === "" ? body.slice(0, -1) : body;
  const wrong = lines.find((line) => !line.startsWith("+"));
  if (wrong !== undefined)
    throw malformed(`in the new file ${path} the line "${wrong.slice(0, 80)}" does not begin with +`);
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

function parseHunks(path: string, body: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [anchors, lines]: [string[], HunkLine[]] = [[], []];
  const close = (isLast = false): void => {
    if (lines.length > 0) hunks.push(hunkOf(withoutTrailingBlank(lines), { anchors, isLast }));
    if (lines.length > 0) [anchors, lines] = [[], []];
  };
  for (const line of body) {
    const anchor = /^@@ ?(.*)$/.exec(line)?.[1]?.trim();
    if (anchor !== undefined) close();
    if (anchor !== undefined && anchor !== "" && !/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(anchor))
      anchors.push(anchor.replace(/ @@$/, ""));
    if (line === "*** End of File") close(true);
    else if (anchor === undefined) lines.push(hunkLine(path, line));
  }
  close();
  return hunks;
}

function hunkLine(path: string, line: string): HunkLine {
  const mark = line === "" ? " " : line.charAt(0);
  if (!marks.includes(mark))
    throw malformed(`in ${path} the line "${line.slice(0, 80)}" begins with none of space, - and +`);
  return { mark: mark as HunkLine["mark"], text: line.slice(1) };
}

/** An empty line between a hunk and the next header belongs to neither. */
function withoutTrailingBlank(lines: readonly HunkLine[]): readonly HunkLine[] {
  const last = lines.at(-1);
  return lines.length > 1 && last?.mark === " " && last.text === "" ? lines.slice(0, -1) : lines;
}
