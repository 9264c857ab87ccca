import { countOf, defineOperation } from "@pergola/sdk";
import { searchDisplay, sentenceIf } from "../display.ts";
import { directory, maxResults, query } from "../parameters.ts";
import { globIn, type Glob } from "../search/glob.ts";
import { grepFile, type LineMatch } from "../search/grep-file.ts";
import { expressionMatcher, textMatcher } from "../search/line-matcher.ts";
import { Pace } from "../search/pace.ts";
import { walkFiles, type Found } from "../search/walk.ts";

type FileMatch = LineMatch & { readonly filePath: string };

/** A glob without wildcards may also be the name of a folder. */
const isIncluded = (glob: Glob, { relative }: Found): boolean =>
  glob.matches(relative) || (glob.isLiteral && `/${relative}`.includes(`/${glob.text}/`));

export const grepSearch = defineOperation({
  name: "grep_search",
  aliases: ["get_search_results"],
  description:
    "Find the lines of text files that contain a text or match a regular expression. Case matters; an " +
    "expression may begin with (?i). Binary files, .git and files ignored by version control are left " +
    "out unless includePattern names them.",
  effect: "read",
  parameters: {
    query: query(),
    isRegexp: {
      type: "boolean",
      default: false,
      aliases: ["isRegex"],
      description: "Required: whether query is a regular expression",
    },
    includePattern: {
      type: "string",
      aliases: ["pattern"],
      description: "Glob of the files to look into, such as *.ts or src/**/*.{js,ts}",
    },
    directory: directory("path"),
    maxResults: maxResults(100),
  },
  required: ["query"],
  display: (args) => searchDisplay("Search text", args),
  examples: [
    { say: "find all lines that contain TODO", arguments: { query: "TODO" } },
    {
      say: "where does the text connectToDatabase appear in the code?",
      arguments: { query: "connectToDatabase" },
    },
    {
      say: "grep for createServer in *.ts files",
      arguments: { query: "createServer", includePattern: "*.ts" },
    },
    {
      say: "search the src folder for the word deprecated",
      arguments: { query: "deprecated", directory: "src" },
    },
    {
      say: "grep the regex import .* from in lib",
      arguments: { query: "import .* from", isRegexp: true, directory: "lib" },
    },
    { say: 'which files contain "Copyright 2024"?', arguments: { query: "Copyright 2024" } },
    { say: "show me the first 5 lines with the text ERROR", arguments: { query: "ERROR", maxResults: 5 } },
    { say: "which lines contain the word gamma?", arguments: { query: "gamma" } },
    { say: "search for FIXME in the code", arguments: { query: "FIXME" } },
    { say: "look for FIXME in lib", arguments: { query: "FIXME", directory: "lib" } },
  ],
  async run({ query: pattern, isRegexp, includePattern, directory: folder, maxResults: most }, context) {
    const glob = includePattern ? await globIn(context, folder, includePattern) : undefined;
    const matcher = isRegexp ? await expressionMatcher(pattern) : textMatcher(pattern);
    const pace = new Pace(context.signal);
    const grep = { matcher, pace, binary: glob?.namesFiles === true };
    const matches: FileMatch[] = [];
    const files = new Set<string>();
    let totalCount = 0;
    for await (const found of walkFiles(context, folder, glob)) {
      await pace.spend(100);
      if (glob !== undefined && !isIncluded(glob, found)) continue;
      for await (const match of grepFile(context, found.path, grep)) {
        totalCount += 1;
        files.add(found.path);
        if (matches.length < most) matches.push({ filePath: found.path, ...match });
      }
    }
    const more = sentenceIf(totalCount > matches.length, `The first ${matches.length} are listed.`);
    return {
      data: { matches, totalCount },
      message:
        `${countOf(totalCount, "line matches", "lines match")} in ` +
        `${countOf(files.size, "file")}.${more}`,
    };
  },
});
