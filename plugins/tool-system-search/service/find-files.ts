import { countOf, ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { Boundaries } from "../index/boundaries.ts";
import type { IndexQuery } from "../index/queries.ts";
import { askPlatform } from "../platform/ask-platform.ts";
import { indexes } from "./indexes.ts";
import type { Candidate, IndexAnswer, IndexState } from "./messages.ts";
import { searchedFolder } from "./searched-folder.ts";
import { prefersPlatform, settingsOf } from "./settings.ts";

type Without<Q, K extends string> = Q extends unknown ? Omit<Q, K> : never;
export type Wanted = Without<IndexQuery, "directory" | "limit"> & {
  readonly directory?: string | undefined;
  readonly maxResults: number;
};

/**
 * Milliseconds that a question waits for an index that is not up to date, and after which the person is told
 * why.
 */
const [patience, quiet] = [6000, 1000];
/** Candidates beyond what was asked for: some may be gone, or closed. */
const spare = 50;

interface Hit {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}

/** Looks for files below the roots, and answers with what is there at this moment and may be seen. */
export async function findFiles(
  context: ToolContext,
  { directory, maxResults, ...wanted }: Wanted,
): Promise<OperationResult> {
  const settings = await settingsOf(context);
  const boundaries = new Boundaries(settings);
  if (boundaries.roots.length === 0) throw noRoots();
  const folder = directory === undefined ? undefined : await searchedFolder(context, boundaries, directory);
  const query = { ...wanted, directory: folder, limit: maxResults + spare } as IndexQuery;
  const platform = prefersPlatform(context) ? await askPlatform(context, boundaries, query) : undefined;
  const answer = platform?.answer ?? (await askIndex(context, settings, query));
  if (answer.attributes !== undefined && query.kind === "metadata")
    throw unknownAttribute(query.attribute, answer.attributes);
  const { hits, lost } = await present(context, boundaries, answer.candidates, maxResults);
  const totalCount = Math.max(hits.length, answer.total - lost);
  const notes = [
    countOf(totalCount, "file"),
    ...(totalCount > hits.length ? [`the first ${hits.length} are listed`] : []),
  ].join("; ");
  return {
    data: { results: hits.map((hit) => ({ ...hit })), totalCount },
    message: [`${notes}.`, platform?.note ?? "", progressNote(answer.state, query)].filter(Boolean).join(" "),
  };
}

async function askIndex(
  context: ToolContext,
  settings: Parameters<typeof indexes.open>[0],
  query: IndexQuery,
): Promise<IndexAnswer> {
  const timer = setTimeout(() => context.progress("Bringing the index up to date"), quiet);
  try {
    return await (await indexes.open(settings)).ask(query, patience, context.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What the door shows of the candidates: closed ones, and those that are gone or stand elsewhere by now, are
 * left out.
 */
async function present(
  context: ToolContext,
  boundaries: Boundaries,
  candidates: readonly Candidate[],
  limit: number,
) {
  const hits: Hit[] = [];
  let lost = 0;
  for (const { path } of candidates) {
    if (hits.length === limit) break;
    context.signal.throwIfAborted();
    const info = await context.files.stat(path).catch(() => undefined);
    if (info?.kind === "file" && boundaries.covers(info.path, false))
      hits.push({
        name: info.name,
        path: info.path,
        size: info.size,
        modified: new Date(info.modified).toISOString(),
      });
    else lost += 1;
  }
  return { hits, lost };
}

const noRoots = (): ToolError =>
  new ToolError("unavailable", "None of the folders to search exists, or all of them are closed.", {
    hint: "The person can name others in the preference tools.system_search.roots.",
  });

const unknownAttribute = (given: string, known: readonly string[]): ToolError =>
  new ToolError("invalid_value", `No file has the attribute "${given}".`, {
    hint: `Attributes that files have: ${known.join(", ")}.`,
  });

function progressNote({ files, unread, complete }: IndexState, { kind }: IndexQuery): string {
  const readsText = kind !== "names" && kind !== "recent";
  if (complete && !(readsText && unread > 0)) return "";
  const names = complete ? `All ${files} names are known` : `${files} names are known so far`;
  return (
    `The index is still being made: ${names}, ${unread} files ` +
    "are not read yet. Ask again later for more."
  );
}
