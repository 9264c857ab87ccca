import path from "node:path";
import { ToolError } from "@pergola/sdk";

/**
 * A path of the patch as the door takes it: absolute ones and those from `~` as they are, others below the
 * target folder.
 */
export const placed = (folder: string, file: string): string =>
  /^(\/|~(\/|$))/.test(file) ? file : path.join(folder, file);

/**
 * The same, checked. Throws ToolError `path_escape` when a relative path leaves the target folder, and
 * `permission_denied` for a path inside `.git`, whose files make git run programs.
 */
export function targetPath(folder: string, file: string): string {
  if (path.normalize(file).split(path.sep)[0] === "..")
    throw new ToolError("path_escape", `${file} leaves the folder that is patched.`, {
      hint: "Nothing was changed. Give an absolute path.",
    });
  const target = placed(folder, file);
  if (/(^|[/\\])\.git($|[/\\])/i.test(target))
    throw new ToolError(
      "permission_denied",
      `${file} lies inside a .git folder, which no patch may change.`,
      {
        hint: "Nothing was changed. Leave that file out.",
      },
    );
  return target;
}
