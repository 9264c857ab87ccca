import { defineOperation } from "@pergola/sdk";
import { actions, type ActionEffects, type ActionTable } from "../actions.ts";
import { gitDisplay } from "../git-display.ts";
import { requireNoFilters } from "../git/filtered-files.ts";
import { requireName } from "../git/names.ts";
import { action, name, repositoryPath } from "../parameters.ts";

const effects: ActionEffects = {
  list: "read",
  create: "write",
  switch: "write",
  delete: "destructive",
};
const format = "--format=%(HEAD) %(refname:short) %(objectname:short) %(contents:subject)";

const table: ActionTable = {
  list: async (repository) =>
    (await repository.run(["for-each-ref", format, "refs/heads", "refs/remotes"])).trimEnd(),
  create: async (repository, { name: branchName }) => {
    const branch = requireName(branchName, "branch");
    await repository.run(["branch", "--no-track", "--", branch]);
    return `Created ${branch}.`;
  },
  switch: async (repository, { name: branchName }) => {
    const branch = requireName(branchName, "branch");
    // git makes a branch of a remote's where there is none of this name.
    const sources = ["refs/heads", ...repository.remotes.map((remote) => `refs/remotes/${remote}`)];
    await requireNoFilters(repository, ...sources.map((source) => `${source}/${branch}`));
    const options = ["--no-progress", "--no-overwrite-ignore", "--no-recurse-submodules"];
    await repository.run(["switch", ...options, branch]);
    return `Switched to ${branch}.`;
  },
  delete: (repository, { name: branchName }) =>
    repository.report(["branch", "-D", "--", requireName(branchName, "branch")]),
};

export const branch = defineOperation({
  name: "branch",
  description: "List, create, delete or switch branches.",
  aliases: ["git_branch"],
  ...actions(effects, table),
  parameters: { repository_path: repositoryPath, action, name },
  display: ({ action: chosen, name: branchName }) => gitDisplay("Branch", chosen, branchName),
  examples: [
    { say: "list the branches", arguments: {} },
    { say: "create the branch feature", arguments: { action: "create", name: "feature" } },
    { say: "switch to main", arguments: { action: "switch", name: "main" } },
    { say: "delete the branch old", arguments: { action: "delete", name: "old" } },
    { say: "drop the branch old-login", arguments: { action: "delete", name: "old-login" } },
    { say: "make a branch called hotfix", arguments: { action: "create", name: "hotfix" } },
    { say: "which branches exist?", arguments: {} },
    { say: "make a new branch called parser", arguments: { action: "create", name: "parser" } },
    { say: "check out main", arguments: { action: "switch", name: "main" } },
    { say: "go to the branch main", arguments: { action: "switch", name: "main" } },
    { say: "what branches are there?", arguments: {} },
    { say: "get rid of the branch old", arguments: { action: "delete", name: "old" } },
    { say: "switch to the branch main", arguments: { action: "switch", name: "main" } },
  ],
});
