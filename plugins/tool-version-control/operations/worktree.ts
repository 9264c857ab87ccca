import nodePath from "node:path";
import { defineOperation, ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { requireNoFilters } from "../git/filtered-files.ts";
import { requireName, requireNoOption } from "../git/names.ts";
import { openRepository } from "../git/open-repository.ts";
import type { Repository } from "../git/repository.ts";
import { repositoryPath } from "../parameters.ts";
import { parseWorktrees } from "../read/parse-worktrees.ts";

const effects = { list: "read", add: "write", remove: "destructive" } as const;

const { aliases: _, ...folderOnly } = repositoryPath;

const worktreesOf = async (repository: Repository) =>
  parseWorktrees(await repository.run(["worktree", "list", "--porcelain", "-z"]));

/** The real path of a worktree that is named, which the call must be allowed to reach. */
async function realPath({ files }: ToolContext, folder: string): Promise<string> {
  requireNoOption(folder, "A path");
  await files.stat(folder);
  return (await files.resolve(folder)).real;
}

/** Where git makes the folder of a new worktree. */
async function existingParent({ files }: Pick<ToolContext, "files">, folder: string): Promise<string> {
  const parent = nodePath.dirname(folder);
  const kind = (await files.stat(parent).catch(() => undefined))?.kind;
  return kind === "directory" || parent === folder ? parent : existingParent({ files }, parent);
}

/**
 * The tree is made empty and filled only when its own configuration was made harmless too: parts of it may
 * hold there alone.
 */
async function add(context: ToolContext, repository: Repository, folder: string): Promise<string> {
  const target = await realPath(context, folder);
  const branch = requireName(nodePath.basename(target), "branch");
  const isKnown = (await repository.find(`refs/heads/${branch}`)) !== undefined;
  await requireNoFilters(repository, isKnown ? `refs/heads/${branch}` : "HEAD");
  const start = isKnown ? ["--", target, branch] : ["-b", branch, "--", target, "HEAD"];
  await repository.run(["worktree", "add", "--no-checkout", "--no-guess-remote", ...start], {
    reach: { write: [await existingParent(context, target)] },
  });
  const added = await openRepository(context, folder);
  await added.run(["reset", "--hard", "--quiet", "--no-recurse-submodules"]);
  return `Added ${folder} on ${branch}.`;
}

async function remove(context: ToolContext, repository: Repository, folder: string): Promise<string> {
  const target = await realPath(context, folder);
  const known = await worktreesOf(repository);
  if (!known.some(({ path }) => path === target))
    throw new ToolError("not_found", `${folder} is no worktree of this repository.`, {
      hint: "Look with action list.",
    });
  await repository.run(["worktree", "remove", "--", target], {
    reach: { write: [nodePath.dirname(target)] },
  });
  return `Removed ${folder}.`;
}

const changes = { add, remove } as const;

export const worktree = defineOperation({
  name: "worktree",
  description: "List, add or remove further working trees.",
  aliases: ["git_worktree"],
  effect: ({ action }) => effects[action],
  effects: ["read", "write", "destructive"],
  place: "paths",
  hidden: true,
  recovery: "once",
  parameters: {
    repository_path: folderOnly,
    action: { type: "string", enum: ["list", "add", "remove"], default: "list" },
    path: {
      type: "string",
      format: "path",
      minLength: 1,
      description: "Folder of the working tree; its name becomes the branch",
    },
  },
  display: ({ action, path }) => gitDisplay("Working tree", action, path),
  async run({ repository_path: folder, action, path }, context): Promise<OperationResult> {
    const repository = await openRepository(context, folder);
    if (action === "list") return { data: await worktreesOf(repository) };
    if (path === undefined)
      throw new ToolError("missing_required", "The path of the working tree is missing.", {
        hint: "Give it as path.",
      });
    return { data: await changes[action](context, repository, path) };
  },
});
