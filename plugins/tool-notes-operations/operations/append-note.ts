import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { bytesOf, inFolder, noteNamed } from "../notes.ts";
import { takeTurn } from "../note-turns.ts";
import { addition, folder, noteName } from "../parameters.ts";

const lineEnd = 0x0a;

export const appendNote = defineOperation({
  name: "append_note",
  description: "Add lines at the end of one.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: { note_name: noteName, text: addition, folder },
  required: ["note_name", "text"],
  display: (args) => card("Add to note", args.note_name),
  examples: [
    { say: "add butter to my note Shopping", arguments: { note_name: "Shopping", text: "butter" } },
    { say: "append call Bob to the note Today", arguments: { note_name: "Today", text: "call Bob" } },
    {
      say: "write hiring under the note Agenda in Work",
      arguments: { note_name: "Agenda", text: "hiring", folder: "Work" },
    },
    { say: "write milk at the end of the note Shopping", arguments: { note_name: "Shopping", text: "milk" } },
  ],
  run: (args, context) =>
    takeTurn(async () => {
      const note = await noteNamed(context, args.note_name, args.folder);
      const before = await bytesOf(context, note);
      const parts = [before];
      if (before.length > 0 && before.at(-1) !== lineEnd) parts.push(Buffer.from("\n"));
      parts.push(Buffer.from(args.text));
      await context.files.write(note.path, Buffer.concat(parts));
      return { data: `Added to the note "${note.name}"${inFolder(note.folder)}.` };
    }),
  /** Where the text is nowhere in the note it was not added; where it is, it may have been there before. */
  async reconcile(args, context) {
    const note = await noteNamed(context, args.note_name, args.folder);
    return Buffer.from(await bytesOf(context, note)).includes(args.text) ? "unknown" : "did_not_happen";
  },
});
