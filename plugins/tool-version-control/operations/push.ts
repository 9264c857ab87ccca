import { defineOperation, ToolError } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { findRemote, speakTo } from "../git/find-remote.ts";
import { requireName } from "../git/names.ts";
import { openRepository } from "../git/open-repository.ts";
import { branchName, remote, repositoryPath } from "../parameters.ts";
import { currentBranch } from "../read/current-branch.ts";

const options = [
  "--no-verify",
  "--no-signed",
  "--no-follow-tags",
  "--recurse-submodules=no",
  "--no-progress",
];

export const push = defineOperation({
  name: "push",
  description: "Send a branch to a remote.",
  aliases: ["git_push"],
  effect: ({ force }) => (force ? "destructive" : "write"),
  effects: ["write", "destructive"],
  place: "external",
  recovery: "once",
  parameters: {
    repository_path: repositoryPath,
    remote,
    branch: branchName,
    force: { type: "boolean", default: false, description: "Replace what is there" },
  },
  display: ({ remote: to, branch, force }) =>
    gitDisplay(force ? "Force push" : "Push", branch, branch && "to", to),
  examples: [
    { say: "git push", arguments: {} },
    { say: "push my commits", arguments: {} },
    { say: "push the branch feature to upstream", arguments: { branch: "feature", remote: "upstream" } },
    { say: "force push main", arguments: { branch: "main", force: true } },
    { say: "push main to mirror", arguments: { branch: "main", remote: "mirror" } },
    { say: "push topic with force", arguments: { branch: "topic", force: true } },
    { say: "push it to the remote", arguments: {} },
    { say: "push feature and force it", arguments: { branch: "feature", force: true } },
    { say: "push the branch feature", arguments: { branch: "feature" } },
    { say: "send feature to upstream", arguments: { branch: "feature", remote: "upstream" } },
    { say: "push --force", arguments: { force: true } },
  ],
  async run({ repository_path: folder, remote: remoteName, branch: branchName, force }, context) {
    const repository = await openRepository(context, folder);
    const branch = requireName(branchName ?? (await currentBranch(repository)), "branch");
    const target = await findRemote(repository, remoteName, "receive-pack");
    const { name, program } = target;
    if ((await repository.find(`refs/heads/${branch}`)) === undefined)
      throw new ToolError("not_found", `There is no branch "${branch}" with commits.`, {
        hint: "Look with branch which there are.",
      });
    context.progress(`Pushing ${branch} to ${name}`);
    const refs = `refs/heads/${branch}:refs/heads/${branch}`;
    const args = ["push", ...options, `--receive-pack=${program}`, name, force ? `+${refs}` : refs];
    const text = await speakTo(repository, target, args);
    return { data: text, message: `Pushed ${branch} to ${name}.` };
  },
});
