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
 * The regular expression of a glob, in RE2's dialect and without anchors: `*` and `?` stay inside one path segment, `**` as a whole
 * segment spans any number of them, `[a-z]`, `[!a-z]`, `{a,b}`; a backslash takes the next character as it is. Dot files are matched
 * like all others. RE2 keeps the matching linear in the path's length, whatever the glob.
 */
export function globSource(glob: string, { braces }: GlobOptions): string {
  const closing = braces ? matchingBraces(glob) : new Map<number, number>();
  const ends = new Set(closing.values());
  let depth = 0;
  let source = "";
  for (let at = 0; at < glob.length;) {
    const piece = closing.has(at) ? open : ends.has(at) ? close : depth > 0 && glob[at] === "," ? alternative : pieceAt(glob, at);
    depth += piece === open ? 1 : piece === close ? -1 : 0;
    source += piece.source;
    at += piece.length;
  }
  return source;
}

const open: Piece = { source: "(?:", length: 1 };
const close: Piece = { source: ")", length: 1 };
const alternative: Piece = { source: "|", length: 1 };

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
  return end === glob.length || ",}".includes(glob[end] ?? "") ? { source: ".*", length } : { source: "[^/]*", length };
}

function characterClass(glob: string, at: number): Piece {
  const isNegated = "!^".includes(glob[at + 1] ?? " ");
  const first = at + (isNegated ? 2 : 1);
  const end = glob.indexOf("]", first + 1);
  if (end < 0) return { source: "\\[", length: 1 };
  const members = glob.slice(first, end).replace(/[\\^[\]]/g, "\\$&");
  return { source: isNegated ? `[^/${members}]` : `[${members}]`, length: end - at + 1 };
}

/** Positions of `{` that have their `}`, with the position of that. */
function matchingBraces(glob: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const opened: number[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    if (glob[at] === "\\") at += 1;
    if (glob[at] === "{") opened.push(at);
    const start = glob[at] === "}" ? opened.pop() : undefined;
    if (start !== undefined) pairs.set(start, at);
  }
  return pairs;
}
