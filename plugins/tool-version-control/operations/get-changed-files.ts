import { countOf, defineOperation } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { openRepository } from "../git/open-repository.ts";
import { repositoryPath } from "../parameters.ts";
import type { Change } from "../read/parse-status.ts";
import { readStatus } from "../read/read-status.ts";

type State = "staged" | "unstaged" | "merge-conflicts";

interface ChangedFile {
  readonly state: State;
  readonly path: string;
  readonly status: string;
  readonly staged: boolean;
}

const words: Readonly<Record<string, string>> = {
  M: "modified",
  T: "type_changed",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  "?": "untracked",
};

const statusOf = (letter: string): string => words[letter] ?? "modified";

/** A file that is changed both in the index and in the working tree counts in both. */
function entriesOf({ path, kind, staged, unstaged }: Change): readonly ChangedFile[] {
  if (kind === "conflicted") return [{ state: "merge-conflicts", path, status: "conflicted", staged: false }];
  const entries: ChangedFile[] = [];
  if (staged !== ".") entries.push({ state: "staged", path, status: statusOf(staged), staged: true });
  if (unstaged !== ".") entries.push({ state: "unstaged", path, status: statusOf(unstaged), staged: false });
  return entries;
}

export const getChangedFiles = defineOperation({
  name: "get_changed_files",
  description: "Changed files, one by one.",
  aliases: ["git_get_changed_files"],
  effect: "read",
  hidden: true,
  parameters: {
    repositoryPath,
    sourceControlState: {
      type: "array",
      items: { type: "string", enum: ["staged", "unstaged", "merge-conflicts"] },
      description: "Default: all",
    },
  },
  display: ({ repositoryPath: folder }) => gitDisplay("Look at changes", folder),
  async run({ repositoryPath: folder, sourceControlState: states = [] }, context) {
    const repository = await openRepository(context, folder);
    const { branch, changes } = await readStatus(repository, { untracked: "all" });
    const entries = changes
      .flatMap(entriesOf)
      .filter(({ state }) => states.length === 0 || states.includes(state));
    const files = entries.map(({ path, status, staged }) => ({ path, status, staged }));
    return {
      data: { files, repository: repository.root, branch, totalFiles: files.length },
      message: `${countOf(files.length, "change")}.`,
    };
  },
});
