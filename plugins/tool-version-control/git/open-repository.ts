import path from "node:path";
import {
  hardenedEnvironment,
  listConfig,
  locate,
  neutralSettings,
  parseConfig,
  personalSettings,
  resolvePlace,
  runGit,
  trustedEnvironment,
  locateArguments,
  type ConfigEntry,
  type Environment,
  type GitAccess,
  type Location,
  type Settings,
} from "@pergola/kit-git";
import { stringOf, ToolError, type ToolContext } from "@pergola/sdk";
import { gitFailure } from "./failure.ts";
import { Repository } from "./repository.ts";

/**
 * Opens the repository that a folder lies in, without running anything of it. Throws ToolError: `not_found`
 * outside a repository, `permission_denied` when its data lie elsewhere, `unavailable` for a git that is too
 * old to be made safe.
 */
export async function openRepository(context: ToolContext, directory: string): Promise<Repository> {
  await context.files.list(directory);
  const place = await resolvePlace(context.files, directory);
  const { folder, top } = place;
  const run = async (
    args: readonly string[],
    environment: Environment,
    access: GitAccess | "any" = { read: [top] },
  ): Promise<string> => {
    const { exitCode, stdout, stderr } = await runGit(context, args, { folder, top, environment, access });
    if (exitCode !== 0) throw gitFailure(stderr, [folder, top]);
    return stdout;
  };
  const settings = parseConfig(await run(listConfig, trustedEnvironment(), "any"));
  const first = hardenedEnvironment(personalSettings(settings, []));
  const location = requireInside(
    await locate(context.files, await run(locateArguments, first, "any"), place),
  );
  const all = parseConfig(await run(listConfig, first));
  requireOverrides(all);
  const config = all.filter(({ scope }) => scope === "local" || scope === "worktree");
  const identity = await identitySettings(context);
  const more = [...neutralSettings(config), ...personalSettings(settings, config), ...identity];
  return new Repository({
    ...location,
    context,
    config,
    top,
    environment: hardenedEnvironment(more),
    trusted: trustedEnvironment(identity),
    personalFiles: personalFiles(more),
  });
}

/** Files of the person that their own settings name. */
const personalFiles = (settings: Settings): readonly string[] =>
  settings
    .filter(([key]) => /^(core\.excludesfile|http\.(.*\.)?(sslcainfo|sslcapath))$/s.test(key))
    .map(([, value]) => value)
    .filter((file) => path.isAbsolute(file));

function requireInside(location: Location | "none" | "elsewhere"): Location {
  if (location === "none")
    throw new ToolError("not_found", "There is no git repository here.", {
      hint:
        "Give the folder of one as repository_path. One that begins above the working directory must be " +
        "named by an absolute path.",
    });
  if (location === "elsewhere")
    throw new ToolError(
      "permission_denied",
      "The repository's files lie elsewhere than the folder that was named.",
      { hint: "Give the folder that holds both the files and their .git as repository_path." },
    );
  return location;
}

/** Overrides from the environment are read since git 2.31; without them nothing here would be safe. */
function requireOverrides(config: readonly ConfigEntry[]): void {
  const isOverride = ({ scope, key, value }: ConfigEntry): boolean =>
    scope === "command" && key === "core.fsmonitor" && value === "false";
  if (config.some(isOverride)) return;
  throw new ToolError("unavailable", "The installed git is too old.", {
    hint: "Ask the person to install git 2.38 or newer.",
  });
}

async function identitySettings(context: ToolContext): Promise<Settings> {
  const name = stringOf(await context.preference("tools.git.user_name"));
  const email = stringOf(await context.preference("tools.git.user_email"));
  const settings = [
    ["user.name", name],
    ["user.email", email],
  ] as const;
  return settings.filter(([, value]) => value !== "");
}
