import { isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { words } from "../language/words.ts";

/** Words that are never the name of something, wherever they stand. */
const notNames = words(
  "a an the is in of to and or for with that this it my our your please at from on by as be so then else now later",
  "which what who where how all any each every no not here there only inside yourself itself me us them",
  "document documents structure tree listing list name names file files folder folders directory contents content called named",
  "current working whole root parent new empty same other another entire project total particular general detail",
  "use used occur occurs appear appears anywhere somewhere order mind fact case time line head matching like doing does",
  "background foreground terminal shell",
  "english french german summer winter",
);

/** True for a word that may be somebody's name for a thing. */
export const canBeName = (word: string): boolean => !notNames.has(word.toLowerCase());

/** True for a word that may be the name of a folder where it stands without a sign of it. */
export const canBePlace = (word: string): boolean =>
  canBeName(word) && !isAction(word.toLowerCase()) && keyOf(word.toLowerCase()) !== "code";
