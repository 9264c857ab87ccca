import type { Phrase } from "../../phrase.ts";
import { idioms } from "./idioms.ts";
import { calendar, contacts, notes, weather } from "./everyday.ts";
import { code, commands, maths, memory, pictures, todos, versions } from "./working.ts";

/** Phrases for the tool families beside the files, those that no tool answers among them. */
export const families: Readonly<Record<string, readonly Phrase[]>> = {
  calendar,
  contacts,
  notes,
  weather,
  maths,
  memory,
  todos,
  versions,
  code,
  commands,
  pictures,
  idioms,
};
