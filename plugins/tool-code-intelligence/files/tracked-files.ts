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
const [link, repository] = ["120000", "160000"];
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
  const entries = stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map(entryOf);
  return {
    files: [
      ...new Set(entries.filter(({ mode }) => mode !== link && mode !== repository).map(({ path }) => path)),
    ],
    repositories: entries.filter(({ mode }) => mode === repository).map(({ path }) => path),
  };
}

/** An untracked repository is told by the slash at its end. */
function entryOf(entry: string): { readonly mode: string; readonly path: string } {
  const [, mode = "", path = ""] = tracked.exec(entry) ?? [];
  if (path !== "") return { mode, path };
  if (entry.endsWith("/")) return { mode: repository, path: entry.slice(0, -1) };
  return { mode: "", path: entry };
}

function undefinedWithoutGit(error: unknown): undefined {
  if (!ToolError.is(error) || error.code !== "unavailable") throw error;
}
