import { runGit } from "@pergola/kit-git";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { repositoryAt } from "../git/repository.ts";

export interface Listing {
  /** Relative to the folder. */
  readonly files: readonly string[];
  /** Repositories inside it, which keep their own lists; relative to the folder. */
  readonly repositories: readonly string[];
}

const largestList = 64 << 20;
const link = "120000";
const repository = "160000";
const tracked = /^(\d{6}) [0-9a-f]+ \d\t(.*)$/s;

/**
 * What version control has or would take in a folder: all that is tracked, and all that is neither tracked
 * nor ignored, but for links and for dependencies nobody asked to track. Undefined where there is no
 * repository, or no git.
 */
export async function trackedFiles(context: ToolContext, folder: string): Promise<Listing | undefined> {
  const place = await repositoryAt(context, folder).catch(undefinedWithoutGit);
  if (place === undefined) return undefined;
  const args = ["ls-files", "-z", "--stage", "--others", "--exclude-standard", "--exclude=node_modules/"];
  const { exitCode, stdout, truncated } = await runGit(context, args, {
    ...place,
    maxOutputBytes: largestList,
    timeoutSeconds: 20,
  });
  if (exitCode !== 0 || truncated) return undefined;
  const entries = stdout.split("\0").filter(Boolean).map(entryOf);
  const pathsOf = (test: (mode: string) => boolean): readonly string[] =>
    entries.filter(({ mode }) => test(mode)).map(({ path }) => path);
  return {
    files: [...new Set(pathsOf((mode) => mode !== link && mode !== repository))],
    repositories: pathsOf((mode) => mode === repository),
  };
}

/** An untracked repository is told by the slash at its end. */
function entryOf(entry: string) {
  const [, mode = "", path = ""] = tracked.exec(entry) ?? [];
  if (path !== "") return { mode, path };
  if (entry.endsWith("/")) return { mode: repository, path: entry.slice(0, -1) };
  return { mode: "", path: entry };
}

function undefinedWithoutGit(error: unknown): undefined {
  if (!ToolError.is(error) || error.code !== "unavailable") throw error;
}
