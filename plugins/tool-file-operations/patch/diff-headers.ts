import { diffPath, gitPaths, withoutPrefixes } from "./diff-path.ts";
import { malformed } from "./patch.ts";

export const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

const refused: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(GIT binary patch|Binary files .* differ)/, "it changes binary files"],
  [/^copy from /, "it copies a file, which is not supported: add the file instead"],
  [/^(new file|new|deleted file|old) mode 1(2|6)0000/, "it makes or changes a link or a submodule"],
];

/** The lines of a diff, read from the top. */
export interface Reader {
  readonly lines: readonly string[];
  at: number;
}

/** What stands before a file's hunks: the paths, undefined for `/dev/null`. */
export interface Headers {
  readonly old: string | undefined;
  readonly fresh: string | undefined;
  /** The two paths are meant to differ. */
  readonly isRename: boolean;
}

/** A section of a git diff as far as it was read. */
interface Section {
  paths?: readonly [old: string, fresh: string];
  isNew?: boolean;
  isDeleted?: boolean;
  renamedFrom?: string;
  renamedTo?: string;
}

const isPair = ({ lines, at }: Reader): boolean =>
  (lines[at] ?? "").startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
const strayLine = /^\+|^-(?!- $)/;

/**
 * Skips to the next file and reads its headers; undefined at the end. `afterHunks`: changed lines that stand
 * here belong to no hunk, and the diff is refused rather than applied without them.
 */
export function nextHeaders(reader: Reader, afterHunks: boolean): Headers | undefined {
  let section: Section = {};
  let isAfterHunks = afterHunks;
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at] ?? "";
    const isGit = line.startsWith("diff --git ");
    const whole = isGit ? headersOf(section) : undefined;
    if (whole !== undefined) return whole;
    if (isPair(reader)) return pathsBelow(reader, section);
    const reason = refused.find(([pattern]) => pattern.test(line))?.[1];
    if (reason !== undefined) throw malformed(reason);
    if (hunkHeader.test(line)) throw malformed("a hunk stands before any file header");
    if (isAfterHunks && strayLine.test(line)) throw malformed(`"${line.slice(0, 80)}" belongs to no hunk`);
    isAfterHunks &&= !/^(diff --git|From|Index:) /.test(line);
    section = isGit ? { paths: gitPaths(line) } : withHeader(section, line);
  }
  return headersOf(section);
}

function withHeader(section: Section, line: string): Section {
  if (line.startsWith("new file mode ")) return { ...section, isNew: true };
  if (line.startsWith("deleted file mode ")) return { ...section, isDeleted: true };
  if (line.startsWith("rename from ")) return { ...section, renamedFrom: diffPath(line.slice(12)) ?? "" };
  if (line.startsWith("rename to ")) return { ...section, renamedTo: diffPath(line.slice(10)) ?? "" };
  return section;
}

function pathsBelow(reader: Reader, { renamedFrom, renamedTo }: Section): Headers {
  const [first = "", second = ""] = reader.lines.slice(reader.at, reader.at + 2);
  reader.at += 2;
  if (renamedFrom !== undefined && renamedTo !== undefined)
    return { old: renamedFrom, fresh: renamedTo, isRename: true };
  const [old, fresh] = withoutPrefixes(diffPath(first.slice(4)), diffPath(second.slice(4)));
  return { old, fresh, isRename: false };
}

/** A section without hunks: a rename, or an empty file that comes or goes. Undefined when there was none. */
function headersOf({ paths, isNew, isDeleted, renamedFrom, renamedTo }: Section): Headers | undefined {
  if (renamedFrom !== undefined && renamedTo !== undefined)
    return { old: renamedFrom, fresh: renamedTo, isRename: true };
  if (paths === undefined) return undefined;
  const [old, fresh] = paths;
  if (isNew === true) return { old: undefined, fresh, isRename: false };
  if (isDeleted === true) return { old, fresh: undefined, isRename: false };
  throw malformed(`it changes nothing in ${fresh} but perhaps its mode`);
}
