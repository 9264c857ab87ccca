import { definePlugin, defineTool } from "@pergola/sdk";
import { appendNote } from "./operations/append-note.ts";
import { createNote } from "./operations/create-note.ts";
import { getNote } from "./operations/get-note.ts";
import { listFolders } from "./operations/list-folders.ts";
import { listNotes } from "./operations/list-notes.ts";
import { search } from "./operations/search.ts";

export const notesOperations = defineTool({
  name: "notes_operations",
  description: "The person's notes.",
  icon: "notebook",
  aliases: {
    search_notes: "search",
    get_note: "get_note",
    create_note: "create_note",
    list_folders: "list_folders",
    list_notes: "list_notes",
    append_note: "append_note",
  },
  operations: [search, getNote, createNote, listFolders, listNotes, appendNote],
});

export default definePlugin({ tools: [notesOperations] });
