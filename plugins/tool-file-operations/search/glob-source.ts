interface GlobOptions {
  /** Whether `{a,b}` means one of several; gitignore rules do not know it. */
  readonly braces: boolean;
}

/** What a piece of a glob is called in RE2, and how many characters it took. */
interface Piece {
  readonly source: string;
  readonly length: number;
}

/** A piece that stands for one character of the glob. */
const single = (source: string): Piece => ({ source, length: 1 });

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * The regular expression of a glob, in RE2's dialect and without anchors: `*` and `?` stay inside one path
 * segment, `**` as a whole segment spans any number of them, `[a-z]`, `[!a-z]`, `{a,b}`; a backslash takes
 * the next character as it is. Dot files are matched like all others. RE2 keeps the matching linear in the
 * path's length, whatever the glob.
 */
export function globSource(glob: string, { braces }: GlobOptions): string {
  const marks = braces ? braceMarks(glob) : new Map<number, Piece>();
  let source = "";
  for (let at = 0; at < glob.length;) {
    const piece = marks.get(at) ?? pieceAt(glob, at);
    source += piece.source;
    at += piece.length;
  }
  return source;
}

function pieceAt(glob: string, at: number): Piece {
  const character = glob[at] ?? "";
  if (character === "*") return stars(glob, at);
  if (character === "?") return single("[^/]");
  if (character === "[") return characterClass(glob, at);
  if (character === "\\" && at + 1 < glob.length) return { source: escape(glob[at + 1] ?? ""), length: 2 };
  return single(escape(character));
}

function stars(glob: string, at: number): Piece {
  let end = at;
  while (glob[end] === "*") end += 1;
  const length = end - at;
  const startsSegment = at === 0 || "/{,".includes(glob[at - 1] ?? "");
  if (length < 2 || !startsSegment) return { source: "[^/]*", length };
  if (glob[end] === "/") return { source: "(?:[^/]+/)*", length: length + 1 };
  if (end === glob.length || ",}".includes(glob[end] ?? "")) return { source: ".*", length };
  return { source: "[^/]*", length };
}

function characterClass(glob: string, at: number): Piece {
  const [negation = ""] = /^[!^]/.exec(glob.slice(at + 1)) ?? [];
  const first = at + 1 + negation.length;
  const end = glob.indexOf("]", first + 1);
  if (end < 0) return single("\\[");
  const members = glob.slice(first, end).replace(/[\\^[\]]/g, "\\$&");
  return { source: `[${negation && "^/"}${members}]`, length: end - at + 1 };
}

/**
 * What stands for each `{`, `,` and `}` of a pair, by position; those without their other half stay as they
 * are.
 */
function braceMarks(glob: string): ReadonlyMap<number, Piece> {
  const marks = new Map<number, Piece>();
  const opened: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    if (glob[at] === "\\") at += 1;
    else if (glob[at] === "{") opened.push({ at, commas: [] });
    else if (glob[at] === ",") opened.at(-1)?.commas.push(at);
    if (glob[at] !== "}") continue;
    const pair = opened.pop();
    if (pair === undefined) continue;
    marks.set(pair.at, single("(?:")).set(at, single(")"));
    for (const comma of pair.commas) marks.set(comma, single("|"));
  }
  return marks;
}
