import type { Repository } from "../git/repository.ts";
import { parseStatus, type Status } from "./parse-status.ts";

interface StatusOptions {
  /** Folders that nothing of is known are listed as one entry, or file by file. */
  readonly untracked?: "normal" | "all";
  /** Whether a file that was moved is one change or two. */
  readonly renames?: boolean;
  readonly files?: readonly string[];
}

/** The state of the working tree and of the index; submodules are looked at from outside only. */
export async function readStatus(
  repository: Repository,
  { untracked = "normal", renames = true, files = [] }: StatusOptions = {},
): Promise<Status> {
  const options = [
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-show-stash",
    `--untracked-files=${untracked}`,
    "--ignore-submodules=dirty",
    renames ? "--find-renames" : "--no-renames",
  ];
  return parseStatus(await repository.run(["status", ...options, "--", ...files]));
}

export const conflictedOf = ({ changes }: Status): readonly string[] =>
  changes.filter(({ kind }) => kind === "conflicted").map(({ path }) => path);
