import { Refused } from "@pergola/kit-storage/directory";
import { messageOf } from "@pergola/sdk";

type Sentence = readonly [reason: string, remedy: string];

export const restore = "Put the newest backup in its place, or move it away to begin with an empty store.";
const giveRights = "Give the user that runs Pergola the right to write the file and its folder.";

/** By the beginning of the code that SQLite or the operating system gave. */
const sentences: Readonly<Record<string, Sentence>> = {
  SQLITE_NOTADB: ["is not a database", restore],
  SQLITE_CORRUPT: ["is damaged", restore],
  SQLITE_READONLY: ["cannot be written", giveRights],
  EACCES: ["cannot be read and written by this user", giveRights],
  EPERM: ["cannot be read and written by this user", giveRights],
  EROFS: [
    "cannot be written, because its disk is read-only",
    "Let the data directory be on a disk that can be written.",
  ],
  SQLITE_CANTOPEN: ["cannot be opened", giveRights],
  SQLITE_PERM: ["cannot be opened", giveRights],
  SQLITE_BUSY: ["is locked by another program", "Close the program that has it open, and start again."],
  SQLITE_FULL: ["needs room on a full disk", "Free some space, and start again."],
  SQLITE_IOERR: [
    "cannot be read or written, because the disk reports an error",
    "Check the disk before you start again.",
  ],
};

/** What an error says about the file, in words for the operator. */
export function refusedBy(error: unknown, file: string): Refused {
  if (error instanceof Refused) return error;
  const { code = "" } = error as { readonly code?: string };
  const known = Object.entries(sentences).find(([prefix]) => code.startsWith(prefix));
  const [reason, remedy] = known?.[1] ?? ["cannot be opened", restore];
  return new Refused(file, `${reason} (${messageOf(error)})`, remedy, error);
}
