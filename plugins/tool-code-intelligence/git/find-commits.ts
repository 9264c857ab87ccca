import { runGit, type Place } from "@pergola/kit-git";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { commitFormat, parseCommits, type Commit } from "./parse-commits.ts";

interface Search {
  readonly query: string;
  readonly author: string | undefined;
  /** Seconds since 1970. */
  readonly since: number | undefined;
  readonly limit: number;
}

interface FoundCommits {
  readonly commits: readonly Commit[];
  /** Time or room ran out before the beginning of the history. */
  readonly isCut: boolean;
}

const log = [
  "log",
  "-z",
  "--name-only",
  "--no-renames",
  "--no-color",
  "--no-show-signature",
  "--no-ext-diff",
  "--no-textconv",
  "--submodule=short",
  "--encoding=UTF-8",
  "--fixed-strings",
  "--regexp-ignore-case",
  commitFormat,
];
const limits = { maxOutputBytes: 32 << 20, timeoutSeconds: 90 };

/**
 * Commits of the checked-out history whose message holds the query; a merge's files are those it brought in.
 */
const byMessage = ({ query }: Search): readonly string[] => [`--grep=${query}`, "--diff-merges=first-parent"];

/** Commits that added or took away an occurrence of the query; merges only bring in what others did. */
const byChange = ({ query }: Search): readonly string[] => [`-S${query}`, "--pickaxe-all", "--no-merges"];

/**
 * The newest commits that hold a query in their message or in what they changed, upper and lower case alike;
 * newest first.
 */
export async function findCommits(
  context: ToolContext,
  repository: Place,
  search: Search,
): Promise<FoundCommits> {
  if (!(await hasCommits(context, repository))) return { commits: [], isCut: false };
  const searches = [byMessage(search), byChange(search)].map((criterion) =>
    oneSearch(context, repository, search, criterion),
  );
  const found = await Promise.all(searches);
  const byHash = new Map(found.flatMap(({ commits }) => commits).map((commit) => [commit.hash, commit]));
  const newestFirst = [...byHash.values()].toSorted(
    (one, other) => Date.parse(other.date) - Date.parse(one.date),
  );
  return { commits: newestFirst.slice(0, search.limit), isCut: found.some(({ isCut }) => isCut) };
}

async function hasCommits(context: ToolContext, repository: Place): Promise<boolean> {
  const args = ["rev-parse", "--quiet", "--verify", "--end-of-options", "HEAD^{commit}"];
  const { exitCode } = await runGit(context, args, repository);
  return exitCode === 0;
}

const searchFailure = (output: string): ToolError =>
  new ToolError(
    "generic_error",
    `git could not search the history: ${output.trim().split("\n").at(-1) ?? ""}`,
    {
      hint: "The repository may be damaged, or git older than 2.31.",
    },
  );

async function oneSearch(
  context: ToolContext,
  repository: Place,
  search: Search,
  criterion: readonly string[],
): Promise<FoundCommits> {
  const { author, since, limit } = search;
  const filters = [`--max-count=${limit}`];
  if (author !== undefined) filters.push(`--author=${author}`);
  if (since !== undefined) filters.push(`--max-age=${since}`);
  const result = await runGit(context, [...log, ...criterion, ...filters, "--end-of-options", "HEAD", "--"], {
    ...repository,
    ...limits,
  });
  const isCut = result.timedOut || result.truncated;
  if (result.exitCode !== 0 && !isCut) throw searchFailure(result.stderr);
  const commits = parseCommits(result.stdout);
  if (isCut) return { commits: commits.slice(0, -1), isCut };
  return { commits, isCut };
}
