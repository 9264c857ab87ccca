import type { SpawnResult, ToolContext } from "@pergola/sdk";

/**
 * What is set before every command, for a repository's own configuration may name programs: no file-system
 * monitor, hooks, pager, signature checks, text conversion or credential helpers run; no transport may be
 * used (a partial clone would fetch what it lacks); and no repository is found that merely lies in a folder
 * of another one.
 */
const settings = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["credential.helper", ""],
  ["gpg.program", "false"],
  ["log.showSignature", "false"],
  ["diff.external", ""],
  ["protocol.allow", "never"],
  ["safe.bareRepository", "explicit"],
] as const;

const environment = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_SSH_COMMAND: "false",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  LC_ALL: "C.UTF-8",
};

export interface GitRun {
  /** An absolute path. */
  readonly folder: string;
  /** git looks for a repository no higher than in this folder, an absolute path. */
  readonly top: string;
  readonly maxOutputBytes?: number;
  readonly timeoutSeconds?: number;
}

/** Runs git in a folder. Reads only; throws ToolError `unavailable` when git is not installed. */
export async function runGit(
  context: ToolContext,
  args: readonly string[],
  run: GitRun,
): Promise<SpawnResult> {
  const { folder, top, maxOutputBytes = 1 << 20, timeoutSeconds = 20 } = run;
  const options = settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return context.spawn("git", ["--no-pager", ...options, ...args], {
    cwd: folder,
    env: { ...environment, GIT_CEILING_DIRECTORIES: above(top) },
    maxOutputBytes,
    timeoutSeconds,
  });
}

const above = (folder: string): string => folder.slice(0, folder.lastIndexOf("/")) || "/";
