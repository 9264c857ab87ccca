import { countOf, defineOperation, type ToolContext } from "@pergola/sdk";
import { searchDisplay } from "../display.ts";
import { directory, maxResults, query } from "../parameters.ts";
import { collectChunks, readChunks } from "../semantic/collect-chunks.ts";
import { queryTerms } from "../semantic/query-terms.ts";
import { rankChunks, type RankedChunk } from "../semantic/rank-chunks.ts";
import { wordHits } from "../semantic/word-hits.ts";

const contextLines = 3;
const longestLine = 300;

/** The chunk's line with the most words of the query, else its first with anything in it. */
function bestLine(lines: readonly string[], terms: readonly string[]): number {
  const counts = lines.map((line) => (wordHits(line, terms) ?? []).filter((count) => count > 0).length);
  const most = Math.max(...counts);
  if (most > 0) return counts.indexOf(most);
  const first = lines.findIndex((line) => line.trim() !== "");
  return Math.max(0, first);
}

async function hitOf(context: ToolContext, { chunk, relevance }: RankedChunk, terms: readonly string[]) {
  const found = (await readChunks(context, chunk.path)).chunks[chunk.index];
  if (found === undefined) return undefined;
  const lines = found.text.split(/\r?\n/).map((line) => line.slice(0, longestLine));
  const best = bestLine(lines, terms);
  return {
    file: chunk.path,
    line: found.firstLine + best,
    content: (lines[best] ?? "").trim(),
    relevance: Math.round(relevance * 1000) / 1000,
    context: lines.slice(Math.max(0, best - contextLines), best + contextLines + 1).join("\n"),
  };
}

export const semanticSearch = defineOperation({
  name: "semantic_search",
  aliases: ["search_index"],
  description:
    "Find the places in text files that deal with something, described in words: by the words " +
    "themselves, and by their meaning when an embedding model is set up. The whole folder is " +
    "searched, but for files ignored by version control.",
  effect: "read",
  parameters: { query: query(), directory: directory("scope"), maxResults: maxResults(20) },
  required: ["query"],
  display: (args) => searchDisplay("Search by meaning", args),
  examples: [
    {
      say: "where does the code deal with user authentication?",
      arguments: { query: "user authentication" },
    },
    {
      say: "find the code that handles retry after a timeout",
      arguments: { query: "retry after a timeout" },
    },
    { say: "search the codebase for something like parsing dates", arguments: { query: "parsing dates" } },
    {
      say: "which part of src is about sending email?",
      arguments: { query: "sending email", directory: "src" },
    },
    {
      say: "look in the docs folder for how to install",
      arguments: { query: "how to install", directory: "docs" },
    },
    {
      say: "semantic search for database connection pooling",
      arguments: { query: "database connection pooling" },
    },
    { say: "find the code that sends the newsletter", arguments: { query: "sends the newsletter" } },
    { say: "where is the login implemented?", arguments: { query: "login" } },
    { say: "which module takes care of invoices?", arguments: { query: "invoices" } },
    { say: "is there code that rotates logs?", arguments: { query: "rotates logs" } },
  ],
  async run(args, context) {
    const terms = queryTerms(args.query);
    const chunks = await collectChunks(context, args.directory, terms);
    const { ranked, byMeaning } = await rankChunks(context, args.query, terms, chunks);
    const hits = [];
    for (const one of ranked.slice(0, args.maxResults)) {
      const hit = await hitOf(context, one, terms);
      if (hit !== undefined) hits.push(hit);
    }
    const files = new Set(chunks.map(({ path }) => path)).size;
    const how = byMeaning ? "words and meaning" : "words alone, as no embedding model is set up";
    return {
      data: hits,
      message: `${countOf(hits.length, "place")} found in ${countOf(files, "file")} by ${how}.`,
    };
  },
});
