import { ToolError } from "@pergola/sdk";

const known: readonly (readonly [pattern: RegExp, code: string, hint: string])[] = [
  [
    /dubious ownership/,
    "system_permission_denied",
    "The repository belongs to another user; its owner can list it under safe.directory.",
  ],
  [/not a git repository/, "not_found", "Give the folder of a repository as repository_path."],
  [
    /index\.lock|cannot lock ref|Unable to create .*\.lock/,
    "conflict",
    "Another git command is at work there; wait a little and try again.",
  ],
  [
    /unable to auto-detect email|Please tell me who you are|no (name|email) was given/,
    "unavailable",
    "Ask the person to set tools.git.user_name and tools.git.user_email.",
  ],
  [
    /non-fast-forward|fetch first|Not possible to fast-forward|stale info/i,
    "conflict",
    "Both sides have new commits: pull with mode merge or rebase first.",
  ],
  [
    /would be overwritten|local changes|unstaged changes|uncommitted changes|not up-to-date/i,
    "conflict",
    "Commit or stash the changes first.",
  ],
  [
    /unmerged|unresolved conflict|needs merge|you have not concluded/i,
    "conflict",
    "Edit the conflicted files, then commit them with git_commit.",
  ],
  [
    /already exists|already checked out|is already used/,
    "conflict",
    "Choose another name, or use what is there.",
  ],
  [/contains modified or untracked files/, "conflict", "Commit what is in it, or move it away, first."],
  [
    /Could not resolve host|Connection (refused|timed out|reset)|unable to access|Network is unreachable/i,
    "network_error",
    "Try again later.",
  ],
  [
    /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied|Host key verification failed|access denied/i,
    "permission_denied",
    "The remote does not let this person in without a prompt: they must set up a key or a credential helper.",
  ],
  [
    /transport '.*' not allowed/,
    "permission_denied",
    "Only https, ssh and repositories on this computer are reached.",
  ],
  [
    /did not match any|not found|couldn't find remote ref|does not (exist|appear)|no such (ref|path)|unknown revision|No stash entries|is not a valid reference|not a valid object name|invalid reference|has no upstream|do not have the initial commit|no such path/i,
    "not_found",
    "Look with status, log, branch or tag what there is.",
  ],
];

const unknown = [
  undefined,
  "generic_error",
  "Look at status, and tell the person if it stays like this.",
] as const;

/** A failed command as an error: git's own words, without paths of this computer, and what to do next. */
export function gitFailure(text: string, folders: readonly string[]): ToolError {
  const words = folders
    .reduce((all, folder) => all.replaceAll(`${folder}/`, "").replaceAll(folder, "."), text)
    .trim();
  const [, code, hint] = known.find(([pattern]) => pattern.test(words)) ?? unknown;
  const lines = words.split("\n").filter((line) => !line.startsWith("hint:"));
  const reason = lines.join("\n").slice(0, 2000) || "it failed without a word";
  return new ToolError(code, `git: ${reason}`, { hint });
}
