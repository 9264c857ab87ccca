export type Commit = {
  readonly hash: string;
  readonly author: string;
  /** When it was committed, ISO 8601; `Z` in UTC. */
  readonly date: string;
  readonly subject: string;
  readonly files: readonly string[];
};

/**
 * The format for `git log -z --name-only` that `parseCommits` reads. A commit's text cannot hold a NUL, nor
 * can a file's name.
 */
export const commitFormat = "--format=%x00%H%x00%an%x00%cI%x00%s";

/**
 * Reads what git printed: an empty piece, four fields, then the files, if any, the first after a line feed.
 */
export function parseCommits(output: string): readonly Commit[] {
  const pieces = output.split("\0");
  const commits: Commit[] = [];
  for (let at = 0; pieces[at] === "" && at + 4 < pieces.length;) {
    const [hash = "", author = "", date = "", subject = ""] = pieces.slice(at + 1, at + 5);
    const next = pieces.indexOf("", at + 5);
    const end = next < 0 ? pieces.length : next;
    const [first, ...others] = pieces.slice(at + 5, end);
    const files = first === undefined ? [] : [first.replace(/^\n/, ""), ...others];
    commits.push({ hash, author, date: date.replace(/\+00:00$/, "Z"), subject, files });
    at = end;
  }
  return commits;
}
