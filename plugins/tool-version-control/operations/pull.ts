import { defineOperation } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { requireNoFilters } from "../git/filtered-files.ts";
import { findRemote, speakTo } from "../git/find-remote.ts";
import { requireKnown } from "../git/known-remotes.ts";
import { requireName } from "../git/names.ts";
import { openRepository } from "../git/open-repository.ts";
import type { Repository } from "../git/repository.ts";
import { branchName, remote, repositoryPath } from "../parameters.ts";
import { conflictIn } from "../read/conflict-in.ts";
import { currentBranch } from "../read/current-branch.ts";

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

const editFiles = "Edit these files, then commit them with git_commit, naming them in files.";

/** What to do about a conflict. */
const hints: Readonly<Record<keyof typeof joins, string>> = {
  ff: editFiles,
  merge: editFiles,
  rebase: "The rebase was undone, nothing has changed: pull with mode merge.",
};

/** The branch at the remote that the current one follows, else the one of the same name. */
async function upstreamOf(repository: Repository, remoteName: string): Promise<string> {
  const branch = await currentBranch(repository);
  if (repository.value(`branch.${branch}.remote`) !== remoteName) return branch;
  return repository.value(`branch.${branch}.merge`)?.replace(/^refs\/heads\//, "") ?? branch;
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
  display: ({ remote: from, branch }) => gitDisplay("Pull", branch, branch && "from", from),
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
  async run({ repository_path: folder, remote: remoteName, branch: branchName, mode }, context) {
    const repository = await openRepository(context, folder);
    const source = await findRemote(repository, remoteName, "upload-pack");
    const { name, program, addresses } = source;
    const branch = requireName(branchName ?? (await upstreamOf(repository, name)), "branch");
    await requireNoFilters(repository);
    await requireKnown(context, repository, addresses);
    context.progress(`Fetching ${branch} from ${name}`);
    const tracking = `refs/remotes/${name}/${branch}`;
    const spec = `+refs/heads/${branch}:${tracking}`;
    const args = ["fetch", ...fetching, `--upload-pack=${program}`, name, spec];
    const fetched = await speakTo(repository, source, args);
    await requireNoFilters(repository, tracking);
    context.progress(`Joining ${branch}`);
    const joined = await join(repository, mode, tracking);
    return {
      data: [fetched, joined].filter(Boolean).join("\n"),
      message: `Pulled ${branch} from ${name}.`,
    };
  },
});

/**
 * A rebase that meets a conflict is undone, for it could not be continued here; a merge is left for its
 * conflicts to be edited.
 */
async function join(repository: Repository, mode: keyof typeof joins, tracking: string): Promise<string> {
  const result = await repository.attempt([...joins[mode], tracking]);
  if (result.exitCode === 0) return `${result.stdout}${result.stderr}`.trim();
  const failure = await conflictIn(repository, result, hints[mode]);
  if (mode === "rebase") await repository.attempt(["rebase", "--abort"]);
  throw failure;
}
