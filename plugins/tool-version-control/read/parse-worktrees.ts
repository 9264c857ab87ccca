type Worktree = {
  readonly path: string;
  readonly head: string | null;
  /** null when its HEAD is detached. */
  readonly branch: string | null;
};

/** Reads `git worktree list --porcelain -z`: facts ended by NUL, and an empty one after each tree. */
export function parseWorktrees(output: string): readonly Worktree[] {
  const blocks = output.split("\0\0").filter((block) => block !== "");
  return blocks.map((block) => {
    const facts = new Map(
      block.split("\0").map((fact) => [fact.split(" ", 1)[0] ?? "", fact.slice(fact.indexOf(" ") + 1)]),
    );
    const branch = facts.get("branch")?.replace(/^refs\/heads\//, "");
    return { path: facts.get("worktree") ?? "", head: facts.get("HEAD") ?? null, branch: branch ?? null };
  });
}
