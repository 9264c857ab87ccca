import path from "node:path";
import { countOf, defineOperation, ToolError, type ToolContext } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { requireUnfiltered } from "../git/filtered-files.ts";
import { findFile } from "../git/find-file.ts";
import { openRepository } from "../git/open-repository.ts";
import type { Repository } from "../git/repository.ts";
import { message, repositoryPath } from "../parameters.ts";
import type { Change } from "../read/parse-status.ts";
import { readStatus } from "../read/read-status.ts";

const nothing = (hint: string): ToolError =>
  new ToolError("conflict", "There is nothing to commit.", { hint });
const joinByNul = (files: readonly string[]): string => files.map((file) => `${file}\0`).join("");
const fromInput = ["--pathspec-from-file=-", "--pathspec-file-nul"];

const pathsOf = (changes: readonly Change[]): readonly string[] => changes.map((change) => change.path);

const findNamed = (context: ToolContext, repository: Repository, names: readonly string[]) =>
  Promise.all(names.map((file) => findFile(context, repository, file)));

async function changesIn(repository: Repository, files: readonly string[]) {
  const { changes } = await readStatus(repository, { untracked: "all", renames: false, files });
  return changes;
}

/**
 * The changed files among those named: of a folder all that is not ignored, never a repository inside this
 * one. Each is asked for at the door, so that nothing gets into a commit that may not be read.
 */
async function changedFiles(
  context: ToolContext,
  repository: Repository,
  files: readonly string[],
): Promise<readonly Change[]> {
  const named = await findNamed(context, repository, files);
  const changes = (await changesIn(repository, named)).filter((change) => !change.path.endsWith("/"));
  const changed = pathsOf(changes);
  for (const file of named) await requireThere(context, repository, file, changed);
  for (const file of changed) await context.files.stat(path.join(repository.root, file));
  if (changed.length === 0)
    throw new ToolError("conflict", `There is nothing to commit in ${files.join(", ")}.`, {
      hint: "What was named is unchanged or ignored: look at status.",
    });
  return changes;
}

/** Of what is missing, nothing can be committed but that it was removed. */
async function requireThere(
  { files }: ToolContext,
  { root }: Repository,
  file: string,
  changed: readonly string[],
): Promise<void> {
  const isChanged = changed.some((one) => `${one}/`.startsWith(`${file}/`));
  const real = path.join(root, file);
  // Reading nothing of it fails with the names of files that are close.
  if (!isChanged && (await files.stat(real)) === undefined) await files.read(real, { start: 0, end: 0 });
}

function requireMessage(text: string): void {
  if (text.trim() !== "") return;
  throw new ToolError("invalid_value", "The message is empty.", {
    hint: "Say in one line what changes and why.",
  });
}

/** How many files a commit would hold; without `files`, of all that is staged. */
async function countStaged(repository: Repository, files: readonly string[]): Promise<number> {
  const options = ["--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z"];
  const staged = await repository.run(["diff", ...options, "--", ...files]);
  return staged.split("\0").length - 1;
}

/** The newest commit's message; undefined when there is no commit. */
async function lastMessage(repository: Repository): Promise<string | undefined> {
  if ((await repository.find("HEAD")) === undefined) return undefined;
  return (await repository.run(["log", "-1", "--format=%B", "HEAD", "--"])).trim();
}

/** Whether something of a commit's files is not committed yet. */
async function isPending(
  context: ToolContext,
  repository: Repository,
  files: readonly string[] | undefined,
): Promise<boolean> {
  const changes = await changesIn(repository, await findNamed(context, repository, files ?? []));
  return changes.some(({ staged }) => files !== undefined || staged !== ".");
}

export const gitCommit = defineOperation({
  name: "git_commit",
  description: "Commit the given files, or what is staged.",
  aliases: ["commit"],
  effect: ({ run_hooks: hooks }) => (hooks ? "execute" : "write"),
  effects: ["write", "execute"],
  place: "paths",
  recovery: "reconcile",
  parameters: {
    repository_path: repositoryPath,
    message: { ...message, minLength: 1 },
    files: {
      type: "array",
      items: { type: "string", format: "path", minLength: 1 },
      description: "What to commit",
    },
    run_hooks: { type: "boolean", default: false, description: "Run the repository's hooks and filters" },
  },
  required: ["message"],
  display: ({ message: text, files }) => ({
    ...gitDisplay("Commit", text.split("\n", 1)[0]),
    details: files ?? [],
  }),
  examples: [
    { say: "commit with the message Fix the title", arguments: { message: "Fix the title" } },
    {
      say: "commit a.txt and b.txt as Add texts",
      arguments: { message: "Add texts", files: ["a.txt", "b.txt"] },
    },
    {
      say: "git commit -m 'Update notes' notes.md",
      arguments: { message: "Update notes", files: ["notes.md"] },
    },
    {
      say: "commit what is staged as Release 2 and run the hooks",
      arguments: { message: "Release 2", run_hooks: true },
    },
    { say: "commit a.txt, message: Fix typo", arguments: { message: "Fix typo", files: ["a.txt"] } },
    {
      say: "commit notes.md with the message Add notes",
      arguments: { message: "Add notes", files: ["notes.md"] },
    },
    { say: "commit everything staged as Update docs", arguments: { message: "Update docs" } },
    { say: "make a commit with the message Fix tests", arguments: { message: "Fix tests" } },
    {
      say: "commit a.txt and b.txt with the message Add texts",
      arguments: { message: "Add texts", files: ["a.txt", "b.txt"] },
    },
  ],
  async run({ repository_path: folder, message: text, files, run_hooks: hooks }, context) {
    requireMessage(text);
    const opened = await openRepository(context, folder);
    const repository = hooks ? opened.trusting() : opened;
    const isMerging = (await repository.find("MERGE_HEAD")) !== undefined;
    const changes = files === undefined ? [] : await changedFiles(context, opened, files);
    const chosen = pathsOf(changes);
    if (chosen.length > 0 && !hooks) await requireUnfiltered(repository, chosen);
    // Git refuses to stage a removal again.
    const open = pathsOf(changes.filter(({ unstaged }) => unstaged !== "."));
    if (open.length > 0) await repository.run(["add", "--all", ...fromInput], { input: joinByNul(open) });
    const only = isMerging ? [] : chosen;
    const count = await countStaged(repository, only);
    if (count === 0 && !isMerging) throw nothing("Name the files to commit.");
    const options = ["--cleanup=whitespace", "--no-gpg-sign", "--no-status"];
    if (!hooks) options.push("--no-verify");
    if (only.length > 0) options.push("--only", ...fromInput);
    const args = ["commit", `--message=${text}`, ...options];
    const output = await repository.report(args, { input: joinByNul(only) });
    const hash = (await repository.find("HEAD")) ?? "";
    return {
      data: { hash, message: text, filesStaged: count, output },
      message: `Committed ${countOf(count, "file")}.`,
    };
  },
  async reconcile({ repository_path: folder, message: text, files }, context) {
    const repository = await openRepository(context, folder);
    const isSame = (await lastMessage(repository)) === text.trim();
    const isOpen = await isPending(context, repository, files);
    if (isSame === isOpen) return "unknown";
    return isSame ? "happened" : "did_not_happen";
  },
});
