import { definePlugin, defineTool } from "@pergola/sdk";
import { findGit } from "./git/find-git.ts";
import { blame } from "./operations/blame.ts";
import { branch } from "./operations/branch.ts";
import { diff } from "./operations/diff.ts";
import { getChangedFiles } from "./operations/get-changed-files.ts";
import { gitCommit } from "./operations/git-commit.ts";
import { log } from "./operations/log.ts";
import { pull } from "./operations/pull.ts";
import { push } from "./operations/push.ts";
import { stash } from "./operations/stash.ts";
import { status } from "./operations/status.ts";
import { tag } from "./operations/tag.ts";
import { worktree } from "./operations/worktree.ts";

const bareNames = ["status", "log", "diff", "push", "pull", "branch", "stash", "tag"];

export const versionControl = defineTool({
  name: "version_control",
  description: "Work with a git repository.",
  icon: "git-branch",
  names: ["build_and_version_control"],
  aliases: {
    git: "status",
    git_commit: "git_commit",
    get_changed_files: "get_changed_files",
    ...Object.fromEntries(bareNames.map((name) => [`git_${name}`, name])),
  },
  operations: [
    status,
    log,
    diff,
    gitCommit,
    push,
    pull,
    branch,
    stash,
    tag,
    blame,
    worktree,
    getChangedFiles,
  ],
  unavailable: () => findGit(process.env["PATH"]),
});

export default definePlugin({
  tools: [versionControl],
  collections: { remotes: { indexes: [] } },
});
