import path from "node:path";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { listConfig, parseConfig, type ConfigEntry } from "./config.ts";
import { gitFailure } from "./failure.ts";
import { hardenedEnvironment, neutralSettings, personalSettings, trustedEnvironment } from "./hardening.ts";
import { checkLocation, placeOf } from "./locate.ts";
import { Repository } from "./repository.ts";

type Environment = Readonly<Record<string, string>>;

/**
 * Opens the repository that a folder lies in, without running anything of it. Throws ToolError: `not_found`
 * outside a repository, `permission_denied` when its data lie elsewhere, `unavailable` for a git that is too
 * old to be made safe.
 */
export async function openRepository(context: ToolContext, given: string): Promise<Repository> {
  const { folder, base } = await placeOf(context, given);
  const ceiling = { GIT_CEILING_DIRECTORIES: path.dirname(base) };
  const run = async (args: readonly string[], env: Environment): Promise<string> => {
    const { exitCode, stdout, stderr } = await context.spawn("git", args, {
      cwd: folder,
      env: { ...env, ...ceiling },
    });
    if (exitCode !== 0) throw gitFailure(stderr, [folder, base]);
    return stdout;
  };
  const settings = parseConfig(await run(listConfig, trustedEnvironment()));
  const first = hardenedEnvironment(personalSettings(settings, []));
  const where = await run(
    ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir"],
    first,
  );
  const location = await checkLocation(context.files, where, base);
  const all = parseConfig(await run(listConfig, first));
  requireOverrides(all);
  const config = all.filter(({ scope }) => scope === "local" || scope === "worktree");
  const identity = await identitySettings(context);
  const environment = hardenedEnvironment([
    ...neutralSettings(config),
    ...personalSettings(settings, config),
    ...identity,
  ]);
  return new Repository({
    ...location,
    context,
    config,
    environment: { ...environment, ...ceiling },
    trusted: { ...trustedEnvironment(identity), ...ceiling },
  });
}

/** Overrides from the environment are read since git 2.31; without them nothing here would be safe. */
function requireOverrides(config: readonly ConfigEntry[]): void {
  if (
    config.some(
      ({ scope, key, value }) => scope === "command" && key === "core.fsmonitor" && value === "false",
    )
  )
    return;
  throw new ToolError("unavailable", "The installed git is too old.", {
    hint: "Ask the person to install git 2.38 or newer.",
  });
}

async function identitySettings(context: ToolContext): Promise<readonly (readonly [string, string])[]> {
  const name = await context.preference("tools.git.user_name");
  const email = await context.preference("tools.git.user_email");
  const isGiven = (value: unknown): value is string => typeof value === "string" && value !== "";
  return [
    ...(isGiven(name) ? [["user.name", name] as const] : []),
    ...(isGiven(email) ? [["user.email", email] as const] : []),
  ];
}
