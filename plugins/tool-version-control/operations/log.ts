import { countOf, defineOperation } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { findFiles } from "../git/find-file.ts";
import { option } from "../git/names.ts";
import { openRepository } from "../git/open-repository.ts";
import { file, repositoryPath } from "../parameters.ts";

const format = "--format=tformat:%H%x00%an%x00%aI%x00%s";
const options = [
  "--no-color",
  "--no-show-signature",
  "--no-ext-diff",
  "--no-textconv",
  "--no-notes",
  "--encoding=UTF-8",
];

/** Reads records of four fields, each ended by NUL. */
function parseLog(output: string): Readonly<Record<"hash" | "author" | "date" | "subject", string>>[] {
  const parts = output.split("\0").slice(0, -1);
  return Array.from({ length: Math.floor(parts.length / 4) }, (_, index) => {
    const [hash = "", author = "", date = "", subject = ""] = parts.slice(4 * index);
    return { hash, author, date: date.replace(/\+00:00$/, "Z"), subject };
  });
}

export const log = defineOperation({
  name: "log",
  description: "Latest commits.",
  aliases: ["git_log"],
  effect: "read",
  parameters: {
    repository_path: repositoryPath,
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 10 },
    file,
    author: { type: "string", minLength: 1, description: "Part of a name or address" },
    since: { type: "string", minLength: 1, description: "2026-01-31, or 2 weeks ago" },
  },
  display: ({ file: one }) => gitDisplay("Read history", one),
  examples: [
    { say: "git log", arguments: {} },
    { say: "show the last 5 commits", arguments: { limit: 5 } },
    { say: "who changed README.md lately?", arguments: { file: "README.md" } },
    { say: "what did Ada commit since 2026-01-31?", arguments: { author: "Ada", since: "2026-01-31" } },
    { say: "show the commits by Ada", arguments: { author: "Ada" } },
    { say: "what has Ada committed?", arguments: { author: "Ada" } },
    {
      say: "which commits did Ada make since 2026-01-31?",
      arguments: { author: "Ada", since: "2026-01-31" },
    },
    { say: "history of src/main.ts", arguments: { file: "src/main.ts" } },
    { say: "show 5 commits by Ada", arguments: { limit: 5, author: "Ada" } },
  ],
  async run({ repository_path: folder, limit, file: one, author, since }, context) {
    const repository = await openRepository(context, folder);
    if ((await repository.find("HEAD")) === undefined)
      return { data: [], message: "There is no commit yet." };
    const filters = [`--max-count=${limit}`, "--fixed-strings"];
    filters.push(...option("--author", author), ...option("--since", since));
    const paths = await findFiles(context, repository, one);
    const commits = parseLog(
      await repository.run(["log", "-z", format, ...options, ...filters, "HEAD", "--", ...paths]),
    );
    return { data: commits, message: `${countOf(commits.length, "commit")}.` };
  },
});
