import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { notesOf } from "../notes.ts";
import { folder, maxResults } from "../parameters.ts";
import { entry, outOf } from "../render-notes.ts";

export const listNotes = defineOperation({
  name: "list_notes",
  description: "List them, the newest first.",
  effect: "read",
  place: "external",
  parameters: { folder, max_results: maxResults },
  display: (args) => card("List notes", args.folder),
  examples: [
    { say: "list my notes", arguments: {} },
    { say: "show my 5 newest notes", arguments: { max_results: 5 } },
    { say: "what notes are in the folder Work?", arguments: { folder: "Work" } },
    { say: "which notes are in the folder Work?", arguments: { folder: "Work" } },
  ],
  async run(args, context) {
    const notes = await notesOf(context, args.folder);
    const page = notes.slice(0, args.max_results);
    const data = page.map((note) => entry(note)).join("\n");
    return { data: data || "There are no notes.", message: outOf(page.length, notes.length) };
  },
});
