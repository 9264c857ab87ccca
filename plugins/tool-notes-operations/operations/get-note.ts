import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { bytesOf, noteNamed } from "../notes.ts";
import { folder, noteName } from "../parameters.ts";
import { time } from "../render-notes.ts";

export const getNote = defineOperation({
  name: "get_note",
  description: "Read one.",
  effect: "read",
  place: "external",
  parameters: { note_name: noteName, folder },
  required: ["note_name"],
  display: (args) => card("Read note", args.note_name),
  examples: [
    { say: "show me the note Shopping", arguments: { note_name: "Shopping" } },
    { say: "read my note called Ideas", arguments: { note_name: "Ideas" } },
    {
      say: "what does my note Plan in the folder Work say?",
      arguments: { note_name: "Plan", folder: "Work" },
    },
    { say: "what does my note Plan say?", arguments: { note_name: "Plan" } },
  ],
  async run(args, context) {
    const note = await noteNamed(context, args.note_name, args.folder);
    const facts = [
      `Name: ${note.name}`,
      note.folder && `Folder: ${note.folder}`,
      `Created: ${time(note.created)}`,
      `Modified: ${time(note.modified)}`,
    ].filter(Boolean);
    const text = Buffer.from(await bytesOf(context, note)).toString("utf8");
    return { data: `${facts.join("\n")}\n\n${text}` };
  },
});
