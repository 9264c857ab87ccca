import path from "node:path";
import { defined, type SpawnResult, type ToolContext } from "@pergola/sdk";
import { hardenedEnvironment, type Environment } from "./hardening.ts";

export interface GitRun {
  /** Where git runs: an absolute path. */
  readonly folder: string;
  /** git looks for a repository no higher than in this folder: an absolute path. */
  readonly top: string;
  /** Default: `hardenedEnvironment()`. */
  readonly environment?: Environment;
  readonly input?: string | undefined;
  /** True: file names in the arguments are taken literally, not as patterns. */
  readonly hasLiteralPaths?: boolean;
  readonly maxOutputBytes?: number;
  readonly timeoutSeconds?: number;
}

/**
 * Runs git through `context.spawn`, so the plugin's manifest must list it under `processes`. Resolves for
 * every exit code. Throws ToolError `unavailable` when git is not installed.
 */
export async function runGit(
  context: Pick<ToolContext, "spawn">,
  args: readonly string[],
  { folder, top, environment = hardenedEnvironment(), hasLiteralPaths = false, ...options }: GitRun,
): Promise<SpawnResult> {
  const literal = hasLiteralPaths ? ["--literal-pathspecs"] : [];
  return context.spawn("git", ["--no-pager", ...literal, ...args], {
    ...defined(options),
    cwd: folder,
    env: { ...environment, GIT_CEILING_DIRECTORIES: path.dirname(top) },
  });
}
