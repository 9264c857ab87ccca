import { countOf } from "@pergola/sdk";
import type { Note } from "./notes.ts";

export const time = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, "");

const oneLine = (text: string): string => text.replace(/\s+/g, " ");
const nameOf = ({ name, folder }: Note): string =>
  folder ? `${oneLine(name)} (folder: ${oneLine(folder)})` : oneLine(name);

/** A line for a list; below it a piece of the note, if there is one. */
export const entry = (note: Note, preview = ""): string =>
  [`- ${nameOf(note)}, modified ${time(note.modified)}`, preview].filter(Boolean).join("\n  ");

/** How many of all notes a list contains, for a message. */
export const outOf = (count: number, all: number): string => {
  const notes = countOf(all, "note");
  return count === all ? `${notes}.` : `The first ${count} of ${notes}.`;
};
