import type { ToolContext } from "@pergola/sdk";
import { Pace } from "../search/pace.ts";
import { walkFiles } from "../search/walk.ts";

/**
 * The files that are named, and those in the named folders; the whole working directory when nothing is
 * named. Each once.
 */
export async function codeFiles(
  context: ToolContext,
  named: readonly string[],
  accepts: (path: string) => boolean,
): Promise<readonly string[]> {
  const pace = new Pace(context.signal);
  const files = new Set<string>();
  for (const path of named.length === 0 ? ["."] : named) {
    for await (const found of walkFiles(context, path)) {
      if (accepts(found.path)) files.add(found.path);
      await pace.spend(100);
    }
  }
  return [...files];
}
