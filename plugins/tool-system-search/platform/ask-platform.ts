import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Boundaries } from "../index/boundaries.ts";
import type { IndexQuery } from "../index/queries.ts";
import { extensionOf, typesOf } from "../file-types.ts";
import type { IndexAnswer } from "../service/messages.ts";
import { mdfind } from "./mdfind.ts";
import { plocate } from "./plocate.ts";

/**
 * Runs a platform's indexer; undefined when it cannot answer such a question. Paths are absolute; they are
 * checked afterwards.
 */
export type Indexer = (
  context: ToolContext,
  query: IndexQuery,
  roots: readonly string[],
) => Promise<readonly string[] | undefined>;

const indexers: Readonly<Partial<Record<NodeJS.Platform, readonly [name: string, ask: Indexer]>>> = {
  darwin: ["mdfind", mdfind],
  linux: ["plocate", plocate],
};

const isOfType = (file: string, query: IndexQuery): boolean =>
  !("type" in query && query.type) || typesOf(extensionOf(file)).includes(query.type);

function rootsOf({ directory }: IndexQuery, boundaries: Boundaries): readonly string[] {
  if (directory !== undefined && boundaries.covers(directory, true)) return [directory];
  return boundaries.roots;
}

/**
 * The platform's answer, inside of what is searched; a note instead when the platform has no indexer for it,
 * and the service's own index is to be asked.
 */
export async function askPlatform(
  context: ToolContext,
  boundaries: Boundaries,
  query: IndexQuery,
  platform: NodeJS.Platform = process.platform,
): Promise<{ readonly answer?: IndexAnswer; readonly note: string }> {
  const [name, ask] = indexers[platform] ?? [];
  if (name === undefined || ask === undefined)
    return { note: "This platform has no indexer; the own index was asked." };
  try {
    const found = await ask(context, query, rootsOf(query, boundaries));
    if (found === undefined) return { note: `${name} knows names only; the own index was asked.` };
    const files = [...new Set(found)].filter(
      (file) => boundaries.covers(file, false) && isOfType(file, query),
    );
    const candidates = files.slice(0, query.limit).map((path) => ({ path, size: 0, modified: 0 }));
    return {
      answer: { candidates, total: files.length, state: { files: 0, unread: 0, complete: true } },
      note: `Found by ${name}.`,
    };
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "unavailable") throw error;
    return { note: `${name} is not installed or has no index; the own index was asked.` };
  }
}
