import { countOf, defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { foldersOf, notesOf } from "../notes.ts";

export const listFolders = defineOperation({
  name: "list_folders",
  description: "List their folders.",
  effect: "read",
  place: "external",
  parameters: {},
  display: () => card("List folders of notes"),
  examples: [
    { say: "which folders do my notes have?", arguments: {} },
    { say: "list the note folders", arguments: {} },
    { say: "how are my notes organised", arguments: {} },
  ],
  async run(_args, context) {
    const [folders, notes] = [await foldersOf(context), await notesOf(context)];
    const lines = folders.map(
      ({ name }) => `- ${name}: ${countOf(notes.filter((note) => note.folder === name).length, "note")}`,
    );
    const loose = notes.filter((note) => note.folder === "").length;
    return {
      data: [...lines, `In no folder: ${countOf(loose, "note")}`].join("\n"),
      message: `${countOf(folders.length, "folder")}.`,
    };
  },
});
