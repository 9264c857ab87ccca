import { countOf } from "@pergola/sdk";
import type { Note } from "./notes.ts";

export const time = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, "");

function nameOf({ name, folder }: Note): string {
  const place = folder && ` (folder: ${folder})`;
  return `${name}${place}`.replace(/\s+/g, " ");
}

/** A line for a list; below it a piece of the note, if there is one. */
export const entry = (note: Note, preview = ""): string =>
  [`- ${nameOf(note)}, modified ${time(note.modified)}`, preview].filter(Boolean).join("\n  ");

/** How many of all notes a list contains, for a message. */
export function outOf(count: number, all: number): string {
  const notes = countOf(all, "note");
  if (count === all) return `${notes}.`;
  return `The first ${count} of ${notes}.`;
}
