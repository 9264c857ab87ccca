export interface Change {
  readonly path: string;
  /** The path before a rename or a copy. */
  readonly from: string | undefined;
  /** Letters of git-status(1): what is staged, and what is not; `.` for nothing. */
  readonly staged: string;
  readonly unstaged: string;
  readonly kind: "changed" | "untracked" | "conflicted";
}

export interface Status {
  /** null when HEAD is detached. */
  readonly branch: string | null;
  readonly upstream: string | undefined;
  readonly ahead: number;
  readonly behind: number;
  readonly changes: readonly Change[];
}

/** Fields before the path, by the kind of a line. */
const fieldsBefore: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };

/** Reads `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(output: string): Status {
  const records = output.split("\0").slice(0, -1);
  const headers = new Map<string, string>();
  const changes: Change[] = [];
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? "";
    const kind = record.charAt(0);
    if (kind === "#") headers.set(record.split(" ", 2)[1] ?? "", record.split(" ").slice(2).join(" "));
    else changes.push(changeOf(record, kind === "2" ? records[++at] : undefined));
  }
  const [, ahead = "0", behind = "0"] = /^\+(\d+) -(\d+)$/.exec(headers.get("branch.ab") ?? "") ?? [];
  const head = headers.get("branch.head") ?? "(detached)";
  return {
    branch: head === "(detached)" ? null : head,
    upstream: headers.get("branch.upstream"),
    ahead: Number(ahead),
    behind: Number(behind),
    changes,
  };
}

function changeOf(record: string, from: string | undefined): Change {
  const fields = record.split(" ");
  const [type = "", letters = ".."] = fields;
  const path = fields.slice(fieldsBefore[type] ?? fields.length).join(" ");
  if (type === "?") return { path, from, staged: ".", unstaged: "?", kind: "untracked" };
  return {
    path,
    from,
    staged: letters.charAt(0),
    unstaged: letters.charAt(1),
    kind: type === "u" ? "conflicted" : "changed",
  };
}
