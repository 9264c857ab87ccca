import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { directory, fileType, maxResults, query } from "../parameters.ts";
import { findFiles } from "../service/find-files.ts";

export const search = defineOperation({
  name: "search",
  description: "Find files by name, then by words inside.",
  effect: "read",
  parameters: { query, directory, max_results: maxResults, file_type: fileType },
  required: ["query"],
  display: (args) => card("Search files", args.query, args.directory),
  examples: [
    { say: "find the file budget-2024 on my computer", arguments: { query: "budget-2024" } },
    { say: "search my computer for holiday images", arguments: { query: "holiday", file_type: "image" } },
    {
      say: "look for a spreadsheet named invoices on this computer",
      arguments: { query: "invoices", file_type: "spreadsheet" },
    },
    { say: "where on this machine is report.docx?", arguments: { query: "report.docx" } },
    { say: "find receipts-march on this computer", arguments: { query: "receipts-march" } },
    {
      say: "search this computer for images of our house",
      arguments: { query: "our house", file_type: "image" },
    },
    { say: "find audio called memo on my machine", arguments: { query: "memo", file_type: "audio" } },
    {
      say: "is there a presentation named kickoff on this machine?",
      arguments: { query: "kickoff", file_type: "presentation" },
    },
    {
      say: "search this computer for the presentation sales",
      arguments: { query: "sales", file_type: "presentation" },
    },
    {
      say: "where on my computer are the concert videos?",
      arguments: { query: "concert", file_type: "video" },
    },
    {
      say: "on this computer, find the document minutes",
      arguments: { query: "minutes", file_type: "document" },
    },
    { say: "find the files named draft on this computer", arguments: { query: "draft" } },
    {
      say: "where on this computer is the spreadsheet invoices?",
      arguments: { query: "invoices", file_type: "spreadsheet" },
    },
  ],
  run: ({ query: text, directory, max_results: limit, file_type: type }, context) =>
    findFiles(context, { kind: "all", text, type, directory, limit }),
});
