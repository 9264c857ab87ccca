import { isBelow, ToolError, type ToolContext } from "@pergola/sdk";
import type { Boundaries } from "../index/boundaries.ts";

/**
 * The real path of a folder that is searched, or that holds roots; undefined without a folder. Throws
 * ToolError `file_not_found` or `invalid_value`.
 */
export async function searchedFolder(
  context: ToolContext,
  boundaries: Boundaries,
  directory: string | undefined,
): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const { real, exists } = await context.files.resolve(directory);
  if (!exists)
    throw new ToolError("file_not_found", `There is no folder "${directory}".`, {
      hint: "Leave directory out to search everywhere.",
    });
  if (boundaries.covers(real, true) || boundaries.roots.some((root) => isBelow(real, root))) return real;
  const reason = boundaries.rootOf(real) && ": it is hidden, closed or left out";
  throw new ToolError("invalid_value", `"${directory}" is not searched${reason ?? ""}.`, {
    hint: `Searched are ${boundaries.roots.join(", ")}; file_operations reaches other places.`,
  });
}
