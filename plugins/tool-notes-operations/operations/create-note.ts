import path from "node:path";
import { defineOperation, ToolError, type ToolContext } from "@pergola/sdk";
import { card } from "../card.ts";
import { fileNameOf, folderNameOf, sameTitle } from "../file-name.ts";
import { notesFolder } from "../notes-folder.ts";
import { bytesOf, folderNamed, inFolder, notesOf, type Note } from "../notes.ts";
import { takeTurn } from "../note-turns.ts";
import { body, folder, title } from "../parameters.ts";

/** The note that has the name already. */
async function existingNote(
  context: ToolContext,
  name: string,
  folderName: string | undefined,
): Promise<Note | undefined> {
  if ((await folderNamed(context, folderName)) === undefined) return undefined;
  const notes = await notesOf(context, folderName);
  const candidates = notes.filter((note) => folderName !== undefined || note.folder === "");
  return candidates.find((note) => sameTitle(note.name, name));
}

export const createNote = defineOperation({
  name: "create_note",
  description: "Write a new one; makes the folder if needed.",
  effect: "write",
  place: "external",
  recovery: "reconcile",
  parameters: { title, body, folder },
  required: ["title", "body"],
  display: (args) => card("Create note", args.title),
  examples: [
    {
      say: "make a note called Shopping: milk and eggs",
      arguments: { title: "Shopping", body: "milk and eggs" },
    },
    {
      say: "note down that the code for the gate is blue",
      arguments: { title: "Code for the gate", body: "The code for the gate is blue." },
    },
    {
      say: "create a note Agenda in Work with the text budget, hiring",
      arguments: { title: "Agenda", body: "budget, hiring", folder: "Work" },
    },
    { say: "make a note named Films: Alien", arguments: { title: "Films", body: "Alien" } },
    { say: "new note Gifts: scarf", arguments: { title: "Gifts", body: "scarf" } },
    {
      say: "create a note with the title Tea and the text green and black",
      arguments: { title: "Tea", body: "green and black" },
    },
  ],
  run: (args, context) =>
    takeTurn(async () => {
      if ((await existingNote(context, args.title, args.folder)) !== undefined)
        throw new ToolError("conflict", `There is a note "${args.title}" already.`, {
          hint: "Add to it with append_note, or choose another title.",
        });
      const known = await folderNamed(context, args.folder);
      const at = known?.path ?? path.join(notesFolder(context), folderNameOf(args.folder ?? ""));
      await context.files.write(path.join(at, fileNameOf(args.title)), args.body, { create: true });
      return { data: `Created the note "${args.title}"${inFolder(args.folder)}.` };
    }),
  /**
   * Not there: not made. There with this very text: made. There with another: it may have been made and
   * changed since.
   */
  async reconcile(args, context) {
    const note = await existingNote(context, args.title, args.folder);
    if (note === undefined) return "did_not_happen";
    return Buffer.from(args.body).equals(await bytesOf(context, note)) ? "happened" : "unknown";
  },
});
