import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { directory, maxResults, query } from "../parameters.ts";
import { findFiles } from "../service/find-files.ts";

export const searchContent = defineOperation({
  name: "search_content",
  description: 'Find files with all words inside; "in quotes" together.',
  effect: "read",
  parameters: { query, directory, max_results: maxResults },
  required: ["query"],
  display: (args) => card("Search inside files", args.query, args.directory),
  examples: [
    { say: "which of my documents mention photosynthesis?", arguments: { query: "photosynthesis" } },
    {
      say: "find files on my computer that contain the words rental contract",
      arguments: { query: "rental contract" },
    },
    { say: "search inside all my PDFs and letters for Lisbon", arguments: { query: "Lisbon" } },
    { say: "look inside the documents on my computer for the word pension", arguments: { query: "pension" } },
    { say: "find files on this computer that talk about wind power", arguments: { query: "wind power" } },
    { say: "which of my PDFs contain the phrase force majeure?", arguments: { query: "force majeure" } },
    { say: "which files on my computer contain the word ozone?", arguments: { query: "ozone" } },
    {
      say: "search inside the documents on this computer for notice period",
      arguments: { query: "notice period" },
    },
    { say: "find letters on this machine that mention Uncle Max", arguments: { query: "Uncle Max" } },
    { say: "search the text of all files on my computer for refund", arguments: { query: "refund" } },
  ],
  run: ({ query: text, directory, max_results: limit }, context) =>
    findFiles(context, { kind: "content", text, directory, limit }),
});
