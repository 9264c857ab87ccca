import { countOf, defineOperation, type ToolContext } from "@pergola/sdk";
import { searchDisplay, sentenceIf } from "../display.ts";
import { directory, maxResults, offset, query } from "../parameters.ts";
import { globIn, type Glob } from "../search/glob.ts";
import { Pace } from "../search/pace.ts";
import { walkFiles, type Found } from "../search/walk.ts";
import { isBinary } from "../text/bytes.ts";

async function isText({ files }: ToolContext, path: string): Promise<boolean> {
  const beginning = await files.read(path, { start: 0, end: 8192 }).catch(() => undefined);
  return beginning !== undefined && !isBinary(beginning);
}

/**
 * Files that the glob matches. A plain word that is no file's name finds the paths that contain it, in any
 * case.
 */
async function search(context: ToolContext, glob: Glob, directory: string): Promise<readonly string[]> {
  const pace = new Pace(context.signal);
  const exact: string[] = [];
  const similar: string[] = [];
  const word = glob.text.toLowerCase();
  const isExact = ({ relative }: Found) =>
    glob.matches(relative) || (glob.isLiteral && `/${relative}`.endsWith(`/${glob.text}`));
  for await (const found of walkFiles(context, directory, glob)) {
    await pace.spend(100);
    if (!glob.namesFiles && !(await isText(context, found.path))) continue;
    if (isExact(found)) exact.push(found.path);
    else if (glob.isLiteral && found.relative.toLowerCase().includes(word)) similar.push(found.path);
  }
  return exact.length > 0 ? exact : similar;
}

export const fileSearch = defineOperation({
  name: "file_search",
  description:
    "Find files by name or path with a glob. Without a slash it is matched against file names in all " +
    "folders. .git and files ignored by version control are left out unless the glob names them.",
  effect: "read",
  parameters: {
    query: query("pattern"),
    directory: directory("path"),
    maxResults: maxResults(100),
    offset,
  },
  required: ["query"],
  display: (args) => searchDisplay("Search files", args),
  examples: [
    { say: "find all *.ts files", arguments: { query: "*.ts" } },
    { say: "which files match *.md?", arguments: { query: "*.md" } },
    { say: "where is package.json?", arguments: { query: "package.json" } },
    {
      say: "look for files named config.yaml in the deploy folder",
      arguments: { query: "config.yaml", directory: "deploy" },
    },
    { say: "search for files with the pattern src/**/*.test.js", arguments: { query: "src/**/*.test.js" } },
    { say: "do we have any *.json files?", arguments: { query: "*.json" } },
    {
      say: "list the first 10 files matching *.png in assets",
      arguments: { query: "*.png", directory: "assets", maxResults: 10 },
    },
  ],
  async run(args, context) {
    const found = await search(context, await globIn(context, args.directory, args.query), args.directory);
    const files = found.slice(args.offset, args.offset + args.maxResults);
    const end = args.offset + files.length;
    const hasMore = end < found.length;
    const more = sentenceIf(hasMore, `Ask again with offset ${end} for more.`);
    return {
      data: {
        files,
        count: files.length,
        totalCount: found.length,
        offset: args.offset,
        hasMore,
      },
      message: `${countOf(found.length, "file")} found.${more}`,
    };
  },
});
