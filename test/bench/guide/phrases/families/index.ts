import type { Phrase } from "../../phrase.ts";
import { agents } from "./agents.ts";
import { calendar } from "./calendar.ts";
import { code } from "./code.ts";
import { computer } from "./computer.ts";
import { contacts } from "./contacts.ts";
import { documents } from "./documents.ts";
import { idioms } from "./idioms.ts";
import { maths } from "./maths.ts";
import { memory } from "./memory.ts";
import { notes } from "./notes.ts";
import { patches } from "./patches.ts";
import { pictures } from "./pictures.ts";
import { remote } from "./remote.ts";
import { terminal } from "./terminal.ts";
import { todos } from "./todos.ts";
import { versions } from "./versions.ts";
import { weather } from "./weather.ts";
import { web } from "./web.ts";

/** Phrases for the tool families beside the files, those that no tool answers among them. */
export const families: Readonly<Record<string, readonly Phrase[]>> = {
  web,
  documents,
  computer,
  agents,
  patches,
  terminal,
  remote,
  versions,
  code,
  memory,
  notes,
  calendar,
  contacts,
  todos,
  weather,
  maths,
  pictures,
  idioms,
};
