import { defineOperation, ToolError } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { requireNoFilters } from "../git/filtered-files.ts";
import { findRemote } from "../git/find-remote.ts";
import { requireName } from "../git/names.ts";
import { openRepository } from "../git/open-repository.ts";
import type { Repository } from "../git/repository.ts";
import { branchName, remote, repositoryPath } from "../parameters.ts";
import { currentBranch } from "../read/current-branch.ts";
import { conflictedOf, readStatus } from "../read/read-status.ts";

const fetching = [
  "--no-recurse-submodules",
  "--no-prune",
  "--no-auto-maintenance",
  "--no-write-commit-graph",
  "--no-progress",
  "--refmap=",
];
const merging = [
  "--no-edit",
  "--no-gpg-sign",
  "--no-verify",
  "--no-verify-signatures",
  "--no-autostash",
  "--no-overwrite-ignore",
  "--strategy=ort",
];
const rebasing = [
  "--no-autostash",
  "--no-gpg-sign",
  "--no-verify",
  "--no-autosquash",
  "--no-stat",
  "--no-fork-point",
  "--merge",
];

const joins = {
  ff: ["merge", "--ff-only", ...merging],
  merge: ["merge", "--ff", ...merging],
  rebase: ["rebase", ...rebasing],
} as const;

/** The branch at the remote that the current one follows, else the one of the same name. */
async function followed(repository: Repository, remoteName: string): Promise<string> {
  const branch = await currentBranch(repository);
  const target = repository.value(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, "");
  return repository.value(`branch.${branch}.remote`) === remoteName ? (target ?? branch) : branch;
}

export const pull = defineOperation({
  name: "pull",
  description: "Fetch a branch and bring it into the current one.",
  aliases: ["git_pull"],
  effect: "write",
  place: "paths",
  recovery: "once",
  parameters: {
    repository_path: repositoryPath,
    remote,
    branch: branchName,
    mode: { type: "string", enum: ["ff", "merge", "rebase"], default: "ff" },
  },
  display: ({ remote: from, branch }) => gitDisplay("Pulling", [branch, from].filter(Boolean).join(" from ")),
  examples: [
    { say: "git pull", arguments: {} },
    { say: "get the latest changes", arguments: {} },
    { say: "pull main from upstream", arguments: { branch: "main", remote: "upstream" } },
    { say: "pull with rebase", arguments: { mode: "rebase" } },
    { say: "fetch the branch main from upstream", arguments: { branch: "main", remote: "upstream" } },
    { say: "get main from origin", arguments: { branch: "main", remote: "origin" } },
    { say: "pull and rebase", arguments: { mode: "rebase" } },
    { say: "update my branch from the remote", arguments: {} },
    { say: "pull main", arguments: { branch: "main" } },
    { say: "pull and merge", arguments: { mode: "merge" } },
    { say: "get the changes from upstream", arguments: { remote: "upstream" } },
    { say: "pull from origin", arguments: { remote: "origin" } },
  ],
  async run({ repository_path: folder, remote: given, branch: asked, mode }, context) {
    const repository = await openRepository(context, folder);
    const { name, env, program } = await findRemote(repository, given, "upload-pack");
    const branch = requireName(asked ?? (await followed(repository, name)), "branch");
    await requireNoFilters(repository);
    context.progress(`Fetching ${branch} from ${name}`);
    const tracking = `refs/remotes/${name}/${branch}`;
    const spec = `+refs/heads/${branch}:${tracking}`;
    const fetched = await repository.say(["fetch", ...fetching, `--upload-pack=${program}`, name, spec], {
      env,
    });
    context.progress(`Joining ${branch}`);
    const joined = await join(repository, mode, tracking);
    return {
      data: [fetched, joined].filter((text) => text !== "").join("\n"),
      message: `Pulled ${branch} from ${name}.`,
    };
  },
});

/**
 * A rebase that meets a conflict is undone, for it could not be continued here; a merge is left for its
 * conflicts to be edited.
 */
async function join(repository: Repository, mode: keyof typeof joins, tracking: string): Promise<string> {
  const { exitCode, stdout, stderr } = await repository.attempt([...joins[mode], tracking]);
  if (exitCode === 0) return `${stdout}${stderr}`.trim();
  const files = conflictedOf(await readStatus(repository));
  if (mode === "rebase") await repository.attempt(["rebase", "--abort"]);
  if (files.length === 0) throw repository.failure(`${stderr}${stdout}`);
  const hint =
    mode === "rebase"
      ? "The rebase was undone, nothing has changed: pull with mode merge."
      : "Edit these files, then commit them with git_commit, naming them in files.";
  throw new ToolError("conflict", `Conflicts in ${files.join(", ")}.`, {
    hint,
    fields: { conflicted: files },
  });
}
