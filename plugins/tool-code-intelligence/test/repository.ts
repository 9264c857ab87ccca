import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const environment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_COMMITTER_NAME: "Committer",
  GIT_COMMITTER_EMAIL: "committer@example.com",
};

/** Runs git as a person would, without the machine's own configuration. */
export const git = (
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string =>
  execFileSync("git", args, {
    cwd: folder,
    env: { ...environment, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

export interface Change {
  readonly message: string;
  /** ISO 8601. */
  readonly date: string;
  readonly author?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Commits files to a folder's repository, which is made if there is none; answers the commit's hash. */
export function commit(
  folder: string,
  { message, date, author = "Anna Bell <anna@example.com>", files = {} }: Change,
): string {
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  git(folder, ["add", "--all"]);
  git(
    folder,
    [
      "commit",
      "--quiet",
      "--allow-empty",
      "--allow-empty-message",
      `--author=${author}`,
      `--message=${message}`,
    ],
    {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  );
  return git(folder, ["rev-parse", "HEAD"]).trim();
}

/** Whether git is there; tests that need it skip themselves without the Debian package `git`. */
export function hasGit(): boolean {
  try {
    return execFileSync("git", ["--version"], { encoding: "utf8" }) !== "";
  } catch {
    return false;
  }
}
