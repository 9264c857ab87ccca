import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { directory, maxResults } from "../parameters.ts";
import { findFiles } from "../service/find-files.ts";

export const searchMetadata = defineOperation({
  name: "search_metadata",
  description: "Find files by an attribute of their headers.",
  effect: "read",
  parameters: {
    attribute: {
      type: "string",
      description: "author, title, artist, camera, date_taken, width, duration, pages, size…",
    },
    value: { type: "string", description: "Text inside, number, > 1920, <= 2 MB, 2024-05..2024-08" },
    directory,
    max_results: maxResults,
  },
  required: ["attribute", "value"],
  display: (args) => card("Search metadata", `${args.attribute} ${args.value}`, args.directory),
  examples: [
    {
      say: "find music whose artist is Miriam Makeba",
      arguments: { attribute: "artist", value: "Miriam Makeba" },
    },
    { say: "which photos have a camera called Nikon?", arguments: { attribute: "camera", value: "Nikon" } },
    { say: "find documents with the author Dupont", arguments: { attribute: "author", value: "Dupont" } },
    { say: "list pictures with a width > 4000", arguments: { attribute: "width", value: "> 4000" } },
    { say: "find photos with the camera Leica", arguments: { attribute: "camera", value: "Leica" } },
    {
      say: "which songs are by the artist Miriam Makeba?",
      arguments: { attribute: "artist", value: "Miriam Makeba" },
    },
    {
      say: "show files with the title Yearly Report",
      arguments: { attribute: "title", value: "Yearly Report" },
    },
    { say: "which documents are by the author Dupont?", arguments: { attribute: "author", value: "Dupont" } },
    { say: "list recordings with a duration > 300", arguments: { attribute: "duration", value: "> 300" } },
    {
      say: "find songs with the artist Miriam Makeba",
      arguments: { attribute: "artist", value: "Miriam Makeba" },
    },
    {
      say: "which files have the title Yearly Report?",
      arguments: { attribute: "title", value: "Yearly Report" },
    },
    { say: "show documents whose author is Dupont", arguments: { attribute: "author", value: "Dupont" } },
  ],
  run: ({ attribute, value, directory, max_results: limit }, context) =>
    findFiles(context, { kind: "metadata", attribute, value, directory, limit }),
});
