type BlamedLine = {
  readonly line: number;
  readonly hash: string;
  readonly author: string;
  /** ISO 8601, in UTC. */
  readonly date: string;
  readonly text: string;
};

/** Reads `git blame --line-porcelain`: for each line a header, facts, and the text after a tab. */
export function parseBlame(output: string): readonly BlamedLine[] {
  const lines: BlamedLine[] = [];
  let facts = new Map<string, string>();
  let [hash, line] = ["", 0];
  for (const row of output.split("\n")) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row);
    if (row.startsWith("\t")) {
      const date = new Date(Number(facts.get("author-time") ?? 0) * 1000).toISOString();
      lines.push({
        line,
        hash,
        author: facts.get("author") ?? "",
        date,
        text: row.slice(1).replace(/\r$/, ""),
      });
      facts = new Map();
    } else if (header !== null) [hash, line] = [header[1] ?? "", Number(header[2])];
    else facts.set(row.split(" ", 1)[0] ?? "", row.slice(row.indexOf(" ") + 1));
  }
  return lines;
}
