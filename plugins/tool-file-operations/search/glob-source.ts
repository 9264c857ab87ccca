export interface GlobOptions {
  /** Whether `{a,b}` means one of several; gitignore rules do not know it. */
  readonly braces: boolean;
}

/** What a piece of a glob is called in RE2, and how many characters it took. */
interface Piece {
  readonly source: string;
  readonly length: number;
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * The regular expression of a glob, in RE2's dialect and without anchors: `*` and `?` stay inside one path
 * segment, `**` as a whole segment spans any number of them, `[a-z]`, `[!a-z]`, `{a,b}`; a backslash takes
 * the next character as it is. Dot files are matched like all others. RE2 keeps the matching linear in the
 * path's length, whatever the glob.
 */
export function globSource(glob: string, { braces }: GlobOptions): string {
  const marks = braces ? braceMarks(glob) : new Map<number, string>();
  let source = "";
  for (let at = 0; at < glob.length;) {
    const mark = marks.get(at);
    const piece = mark === undefined ? pieceAt(glob, at) : { source: mark, length: 1 };
    source += piece.source;
    at += piece.length;
  }
  return source;
}

function pieceAt(glob: string, at: number): Piece {
  const character = glob[at] ?? "";
  if (character === "*") return stars(glob, at);
  if (character === "?") return { source: "[^/]", length: 1 };
  if (character === "[") return characterClass(glob, at);
  if (character === "\\" && at + 1 < glob.length) return { source: escape(glob[at + 1] ?? ""), length: 2 };
  return { source: escape(character), length: 1 };
}

function stars(glob: string, at: number): Piece {
  let end = at;
  while (glob[end] === "*") end += 1;
  const length = end - at;
  const startsSegment = at === 0 || "/{,".includes(glob[at - 1] ?? "");
  if (length < 2 || !startsSegment) return { source: "[^/]*", length };
  if (glob[end] === "/") return { source: "(?:[^/]+/)*", length: length + 1 };
  return end === glob.length || ",}".includes(glob[end] ?? "")
    ? { source: ".*", length }
    : { source: "[^/]*", length };
}

function characterClass(glob: string, at: number): Piece {
  const isNegated = "!^".includes(glob[at + 1] ?? " ");
  const first = at + (isNegated ? 2 : 1);
  const end = glob.indexOf("]", first + 1);
  if (end < 0) return { source: "\\[", length: 1 };
  const members = glob.slice(first, end).replace(/[\\^[\]]/g, "\\$&");
  return { source: isNegated ? `[^/${members}]` : `[${members}]`, length: end - at + 1 };
}

/**
 * What stands for each `{`, `,` and `}` of a pair, by position; those without their other half stay as they
 * are.
 */
function braceMarks(glob: string): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  const opened: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    if (glob[at] === "\\") at += 1;
    else if (glob[at] === "{") opened.push({ at, commas: [] });
    else if (glob[at] === ",") opened.at(-1)?.commas.push(at);
    const pair = glob[at] === "}" ? opened.pop() : undefined;
    if (pair === undefined) continue;
    marks.set(pair.at, "(?:").set(at, ")");
    for (const comma of pair.commas) marks.set(comma, "|");
  }
  return marks;
}
