import { isoTime, permissions } from "@pergola/kit-file-facts";
import { countOf, ToolError, type FileInfo, type OperationResult, type ToolContext } from "@pergola/sdk";
import { sentenceIf } from "../display.ts";
import { Pace } from "../search/pace.ts";
import { walk } from "../search/walk.ts";

export interface Listing {
  readonly filePath: string;
  readonly limit: number;
  readonly offset: number;
  readonly recursive: boolean;
}

type Entry = ReturnType<typeof entryOf>;

interface Page {
  readonly entries: readonly Entry[];
  readonly totalCount: number;
  /** Ignored folders that were listed, but not entered. */
  readonly closed: readonly string[];
}

/**
 * One page of a folder's entries in name order. A recursive listing goes depth first, names are then paths
 * relative to the folder, and folders that version control ignores are listed without what is in them. Throws
 * ToolError `invalid_value` for a file.
 */
export async function listFolder(context: ToolContext, listing: Listing): Promise<OperationResult> {
  const info = await context.files.stat(listing.filePath);
  if (info?.kind === "file") {
    throw new ToolError("invalid_value", `${listing.filePath} is a file.`, {
      hint: "Use read_file or get_file_info, or give the folder it is in.",
    });
  }
  const { entries, totalCount, closed } = listing.recursive
    ? await recursivePage(context, listing)
    : await flatPage(context, listing);
  const { limit, offset } = listing;
  const hasMore = offset + entries.length < totalCount;
  const more = sentenceIf(hasMore, `Ask again with offset ${offset + entries.length} for more.`);
  const unopened = sentenceIf(
    closed.length > 0,
    `Listed without their contents, as version control ignores them: ${closed.slice(0, 5).join(", ")}.`,
  );
  return {
    data: { entries, count: entries.length, totalCount, hasMore, offset, limit },
    message: `${countOf(totalCount, "entry", "entries")} ${placeOf(listing.filePath)}.${more}${unopened}`,
  };
}

/** A path that ends with a dot would look like another one before the sentence's own. */
const placeOf = (folder: string): string => (folder.endsWith(".") ? `in "${folder}"` : `in ${folder}`);

const entryOf = (name: string, { kind, size, modified, mode }: FileInfo) => ({
  name,
  isDirectory: kind === "directory",
  size,
  modifiedDate: isoTime(modified),
  permissions: permissions(mode),
});

async function flatPage(context: ToolContext, { filePath, limit, offset }: Listing): Promise<Page> {
  const all = await context.files.list(filePath);
  return {
    entries: all.slice(offset, offset + limit).map((info) => entryOf(info.name, info)),
    totalCount: all.length,
    closed: [],
  };
}

async function recursivePage(context: ToolContext, { filePath, limit, offset }: Listing): Promise<Page> {
  const pace = new Pace(context.signal);
  const entries: Entry[] = [];
  const closed: string[] = [];
  let totalCount = 0;
  for await (const { relative, info, ignored } of walk(context, filePath)) {
    await pace.spend(100);
    if (totalCount >= offset && entries.length < limit) entries.push(entryOf(relative, info));
    if (ignored && info.kind === "directory") closed.push(relative);
    totalCount += 1;
  }
  return { entries, totalCount, closed };
}
