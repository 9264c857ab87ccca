import { isoTime } from "@pergola/kit-file-facts";
import { countOf, ToolError, type FileInfo, type OperationResult, type ToolContext } from "@pergola/sdk";
import { Boundaries } from "../index/boundaries.ts";
import type { IndexQuery } from "../index/queries.ts";
import { askPlatform } from "../platform/ask-platform.ts";
import { indexes } from "./indexes.ts";
import type { Candidate, IndexAnswer, IndexSettings, IndexState } from "./messages.ts";
import { searchedFolder } from "./searched-folder.ts";
import { prefersPlatform, settingsOf } from "./settings.ts";

/**
 * Milliseconds that a question waits for an index that is not up to date, and after which the person is told
 * why.
 */
const [patience, quiet] = [6000, 1000];
/** Candidates beyond what was asked for: some may be gone, or closed. */
const spare = 50;

/** Looks for files below the roots, and answers with what is there at this moment and may be seen. */
export async function findFiles(context: ToolContext, question: IndexQuery): Promise<OperationResult> {
  const settings = await settingsOf(context);
  const boundaries = new Boundaries(settings);
  if (boundaries.roots.length === 0) throw noRoots();
  const directory = await searchedFolder(context, boundaries, question.directory);
  const query = { ...question, directory, limit: question.limit + spare };
  const platform = prefersPlatform(context) ? await askPlatform(context, boundaries, query) : undefined;
  const answer = platform?.answer ?? (await askIndex(context, settings, query));
  if (answer.attributes !== undefined && query.kind === "metadata")
    throw unknownAttribute(query.attribute, answer.attributes);
  const { hits, missing } = await present(context, boundaries, answer.candidates, question.limit);
  const totalCount = Math.max(hits.length, answer.total - missing);
  const isCut = totalCount > hits.length;
  const count = `${countOf(totalCount, "file")}${isCut ? `; the first ${hits.length} are listed` : ""}.`;
  return {
    data: { results: hits, totalCount },
    message: [count, platform?.note, progressNote(answer.state, query)].filter(Boolean).join(" "),
  };
}

async function askIndex(
  context: ToolContext,
  settings: IndexSettings,
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
  const hits: ReturnType<typeof hitOf>[] = [];
  let missing = 0;
  for (const { path } of candidates) {
    if (hits.length === limit) break;
    context.signal.throwIfAborted();
    const info = await context.files.stat(path).catch(() => undefined);
    if (info?.kind === "file" && boundaries.covers(info.path, false)) hits.push(hitOf(info));
    else missing += 1;
  }
  return { hits, missing };
}

/** A file as it is listed: its size in bytes, its time in ISO 8601, UTC. */
const hitOf = ({ name, path, size, modified }: FileInfo) => ({
  name,
  path,
  size,
  modified: isoTime(modified),
});

const noRoots = (): ToolError =>
  new ToolError("unavailable", "None of the folders to search exists, or all of them are closed.", {
    hint: "The person can name others in the preference tools.system_search.roots.",
  });

const unknownAttribute = (name: string, known: readonly string[]): ToolError =>
  new ToolError("invalid_value", `No file has the attribute "${name}".`, {
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
