import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { findCommits } from "../git/find-commits.ts";
import { moment } from "../git/moment.ts";
import { plainValue } from "../git/plain-value.ts";
import { requireRepository } from "../git/repository.ts";

const mostFiles = 200;

export const searchHistory = defineOperation({
  name: "search_history",
  description: "Find git commits whose message, or whose added or removed text, holds a query.",
  effect: "read",
  parameters: {
    query: { type: "string", minLength: 1, maxLength: 500, description: "Literal text, any case" },
    max_results: { type: "integer", minimum: 1, maximum: 200, default: 20 },
    since: { type: "string", description: "2026-05-31, 2 weeks ago" },
    author: { type: "string", description: "Part of name or email" },
    repository_path: { type: "string", format: "path", default: "." },
  },
  required: ["query"],
  display: ({ query }) => toolDisplay("Search history", query, "history"),
  examples: [
    { say: "which commit fixed the login timeout?", arguments: { query: "login timeout" } },
    { say: "when was parseConfig introduced?", arguments: { query: "parseConfig" } },
    {
      say: "what did anna change about invoices since 2026-01-01?",
      arguments: { query: "invoice", author: "anna", since: "2026-01-01" },
    },
    { say: "find 5 commits about caching", arguments: { query: "cach", max_results: 5 } },
    { say: "which commits mention retries?", arguments: { query: "retries" } },
    { say: "when was the function loadUser added?", arguments: { query: "loadUser" } },
    {
      say: "which commits did anna make about taxes since 2026-01-01?",
      arguments: { query: "taxes", author: "anna", since: "2026-01-01" },
    },
    { say: "search the commits for timeout", arguments: { query: "timeout" } },
    { say: "who removed the function parseConfig?", arguments: { query: "parseConfig" } },
    { say: "find the commit that broke the login", arguments: { query: "login" } },
    { say: "show 5 commits about the cache", arguments: { query: "cache", max_results: 5 } },
  ],
  async run({ query, max_results, since, author, repository_path }, context) {
    const search = {
      query: plainValue("query", query),
      author: author === undefined ? undefined : plainValue("author", author),
      since: since === undefined ? undefined : moment(plainValue("since", since), context.clock.now()),
      limit: max_results,
    };
    plainValue("repository_path", repository_path);
    const repository = await requireRepository(context, repository_path);
    context.progress("Searching messages and changes");
    const { commits, isCut } = await findCommits(context, repository, search);
    const message = [`${countOf(commits.length, "commit")} found.`];
    if (isCut) message.push("Not the whole history could be searched: narrow it down with since or author.");
    if (commits.some(({ files }) => files.length > mostFiles))
      message.push(`Of large commits the first ${mostFiles} files are named.`);
    return {
      data: commits.map((commit) => ({ ...commit, files: commit.files.slice(0, mostFiles) })),
      message: message.join(" "),
    };
  },
});
