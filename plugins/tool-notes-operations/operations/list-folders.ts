import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { foldersOf, notesOf } from "../notes.ts";
import { counted } from "../render-notes.ts";

export const listFolders = defineOperation({
  name: "list_folders",
  description: "List their folders.",
  effect: "read",
  place: "external",
  parameters: {},
  display: () => card("Listing folders of notes"),
  examples: [
    { say: "which folders do my notes have?", arguments: {} },
    { say: "list the note folders", arguments: {} },
    { say: "how are my notes organised", arguments: {} },
  ],
  async run(_args, context) {
    const [folders, notes] = [await foldersOf(context), await notesOf(context)];
    const lines = folders.map(
      ({ name }) => `- ${name}: ${counted(notes.filter((note) => note.folder === name).length)}`,
    );
    const loose = notes.filter((note) => note.folder === "").length;
    return {
      data: [...lines, `In no folder: ${counted(loose)}`].join("\n"),
      message: `${counted(folders.length, "folder")}.`,
    };
  },
});
