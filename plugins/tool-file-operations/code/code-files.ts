import type { ToolContext } from "@pergola/sdk";
import { Pace } from "../search/pace.ts";
import { walkFiles } from "../search/walk.ts";
import { decode, isBinary } from "../text/bytes.ts";

/** Code files are small; larger ones are generated or data, and cost seconds to parse. */
export const largestCode = 1 << 20;

/** A code file's text; undefined for a binary file and for what is too large or can no longer be read. */
export async function codeText(context: ToolContext, path: string): Promise<string | undefined> {
  const bytes = await context.files.read(path, { start: 0, end: largestCode + 1 }).catch(() => undefined);
  return bytes === undefined || bytes.length > largestCode || isBinary(bytes) ? undefined : decode(bytes);
}

/**
 * The files that are named, and those in the named folders; the whole working directory when nothing is
 * named. Each once.
 */
export async function codeFiles(
  context: ToolContext,
  named: readonly string[],
  isWanted: (path: string) => boolean,
): Promise<readonly string[]> {
  const pace = new Pace(context.signal);
  const files = new Set<string>();
  for (const path of named.length === 0 ? ["."] : named) {
    for await (const found of walkFiles(context, path)) {
      if (isWanted(found.path)) files.add(found.path);
      await pace.spend(100);
    }
  }
  return [...files];
}
