import path from "node:path";
import { defined, type SpawnOptions, type SpawnResult, type ToolContext } from "@pergola/sdk";
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
  /**
   * What git may reach in its sandbox; default: it reads `top`. `any`: without a sandbox, for commands that
   * run nothing of the repository.
   */
  readonly access?: GitAccess | "any";
}

/** What git sees and changes; all paths are absolute. */
export interface GitAccess {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Stays as it is below `write`. */
  readonly keep?: readonly string[];
  /** `host:port`; none are reached by default. */
  readonly hosts?: readonly string[];
}

/**
 * Runs git through `context.spawn`, so the plugin's manifest must list it under `processes`. Resolves for
 * every exit code. Throws ToolError `unavailable` when git is not installed.
 */
export async function runGit(
  context: Pick<ToolContext, "spawn">,
  args: readonly string[],
  {
    folder,
    top,
    environment = hardenedEnvironment(),
    hasLiteralPaths = false,
    access = { read: [top] },
    ...options
  }: GitRun,
): Promise<SpawnResult> {
  const literal = hasLiteralPaths ? ["--literal-pathspecs"] : [];
  return context.spawn("git", ["--no-pager", ...literal, ...args], {
    ...defined(options),
    ...sandboxOf(access),
    cwd: folder,
    env: { ...environment, GIT_CEILING_DIRECTORIES: path.dirname(top) },
  });
}

function sandboxOf(access: GitAccess | "any"): Pick<SpawnOptions, "sandbox"> {
  if (access === "any") return {};
  const { read = [], write = [], keep = [], hosts = [] } = access;
  const network = hosts.length === 0 ? "none" : hosts;
  return { sandbox: { kind: "command", read, write, keep, network } };
}
