import { countOf, defineOperation } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { openRepository } from "../git/open-repository.ts";
import { repositoryPath } from "../parameters.ts";
import type { Change, Status } from "../read/parse-status.ts";
import { conflictedOf, readStatus } from "../read/read-status.ts";

const pathsOf = ({ changes }: Status, test: (change: Change) => boolean): string[] =>
  changes.filter(test).map(({ path }) => path);

function placeOf({ branch, upstream }: Status): string {
  if (branch === null) return "HEAD is detached";
  if (upstream === undefined) return `On ${branch}, which follows no remote branch`;
  return `On ${branch}`;
}

export const status = defineOperation({
  name: "status",
  description: "Branch and changed files.",
  aliases: ["git_status"],
  effect: "read",
  parameters: { repository_path: repositoryPath },
  display: ({ repository_path: folder }) => gitDisplay("Look at changes", folder),
  examples: [
    { say: "git status", arguments: {} },
    { say: "what has changed in the repository?", arguments: {} },
    { say: "which files are not committed yet in website?", arguments: { repository_path: "website" } },
    { say: "am I ahead of the remote?", arguments: {} },
    { say: "what branch am I on?", arguments: {} },
    { say: "is there anything left to commit?", arguments: {} },
    { say: "is the working directory clean?", arguments: {} },
    { say: "what is still uncommitted?", arguments: {} },
    { say: "what have I not committed?", arguments: {} },
    { say: "is the working tree clean?", arguments: {} },
    { say: "uncommitted changes", arguments: {} },
  ],
  async run({ repository_path: folder }, context) {
    const found = await readStatus(await openRepository(context, folder));
    const { branch, ahead, behind, changes } = found;
    const data = {
      branch,
      ahead,
      behind,
      staged: pathsOf(found, ({ kind, staged }) => kind === "changed" && staged !== "."),
      unstaged: pathsOf(found, ({ kind, unstaged }) => kind === "changed" && unstaged !== "."),
      untracked: pathsOf(found, ({ kind }) => kind === "untracked"),
      conflicted: [...conflictedOf(found)],
    };
    return { data, message: `${placeOf(found)}; ${countOf(changes.length, "changed file")}.` };
  },
});
