import type { Note } from "./notes.ts";

export const time = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, "");

const oneLine = (text: string): string => text.replace(/\s+/g, " ");
const nameOf = ({ name, folder }: Note): string =>
  folder === "" ? oneLine(name) : `${oneLine(name)} (folder: ${oneLine(folder)})`;

/** A line for a list; below it a piece of the note, if there is one. */
export const entry = (note: Note, preview = ""): string =>
  `- ${nameOf(note)}, modified ${time(note.modified)}${preview === "" ? "" : `\n  ${preview}`}`;

/** `1 note`, `3 notes`. */
export const counted = (count: number, noun = "note"): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What a list leaves out, for a message. */
export const outOf = (shown: number, all: number): string =>
  shown === all ? `${counted(all)}.` : `The first ${shown} of ${counted(all)}.`;
