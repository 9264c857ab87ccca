import { closeNames, compareText, ToolError, type FileInfo, type ToolContext } from "@pergola/sdk";
import { sameTitle, titleOfFile, titleOfFolder } from "./file-name.ts";
import { notesFolder } from "./notes-folder.ts";

export interface Note {
  readonly name: string;
  /** The name of its folder; empty for a note in none. */
  readonly folder: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly modified: number;
}

interface Folder {
  readonly name: string;
  readonly path: string;
}

const mostBytes = 8 * 2 ** 20;
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
/** ` in the folder "Work"`, or nothing for a note in no folder. */
export const inFolder = (folder = ""): string => folder && ` in the folder "${folder}"`;
const isHidden = ({ name }: FileInfo): boolean => name.startsWith(".");

/** Links are left out: they would lead out of the notes. */
async function entriesOf(
  { files }: ToolContext,
  folder: string,
  kind: FileInfo["kind"],
): Promise<readonly FileInfo[]> {
  if ((await files.stat(folder)) === undefined) return [];
  return (await files.list(folder)).filter((entry) => entry.kind === kind && !isHidden(entry));
}

async function notesIn(context: ToolContext, { name: folder, path: at }: Folder): Promise<readonly Note[]> {
  return (await entriesOf(context, at, "file")).flatMap(
    ({ name: file, path: place, size, created, modified }) => {
      const name = titleOfFile(file);
      return name === undefined ? [] : [{ name, folder, path: place, size, created, modified }];
    },
  );
}

/** The folders, in name order; none while there are no notes at all. */
export async function foldersOf(context: ToolContext): Promise<readonly Folder[]> {
  const found = await entriesOf(context, notesFolder(context), "directory");
  return found.map(({ name, path: at }) => ({ name: titleOfFolder(name), path: at }));
}

/** A folder by its name, whatever its case. Without a name it is the one that holds them all. */
export async function folderNamed(
  context: ToolContext,
  name: string | undefined,
): Promise<Folder | undefined> {
  if (name === undefined) return { name: "", path: notesFolder(context) };
  return (await foldersOf(context)).find((folder) => sameTitle(folder.name, name));
}

/** The notes of one folder, or all; the newest first. Throws ToolError `not_found` for an unknown folder. */
export async function notesOf(context: ToolContext, folder?: string): Promise<readonly Note[]> {
  const folders = await foldersOf(context);
  const top = { name: "", path: notesFolder(context) };
  const wanted =
    folder === undefined ? [top, ...folders] : folders.filter(({ name }) => sameTitle(name, folder));
  if (wanted.length === 0) {
    const names = folders.map(({ name }) => name);
    const hint =
      names.length === 0
        ? "There are no folders: leave folder out."
        : `Folders: ${quoted(names.slice(0, 50))}.`;
    throw new ToolError("not_found", `There is no folder "${folder}".`, { hint });
  }
  const notes: Note[] = [];
  for (const each of wanted) notes.push(...(await notesIn(context, each)));
  return notes.toSorted((a, b) => b.modified - a.modified || compareText(a.path, b.path));
}

/**
 * Of notes with the same name: those written exactly so before those in another case, and one in no folder
 * before those in one.
 */
function preferred(notes: readonly Note[], name: string): readonly Note[] {
  const same = notes.filter((note) => sameTitle(note.name, name));
  const exact = same.filter((note) => note.name === name);
  const found = exact.length > 0 ? exact : same;
  const top = found.filter((note) => note.folder === "");
  return top.length > 0 ? top : found;
}

/**
 * The one note of a name, in the named folder or anywhere. Throws ToolError `not_found` or `ambiguous_match`.
 */
export async function noteNamed(context: ToolContext, name: string, folder?: string): Promise<Note> {
  const notes = await notesOf(context, folder);
  const found = preferred(notes, name);
  const [note] = found;
  if (note === undefined) {
    const close = closeNames(name, [...new Set(notes.map((one) => one.name))]);
    const hint =
      close.length === 0 ? "Look for it with search or list_notes." : `Close to it: ${quoted(close)}.`;
    throw new ToolError("not_found", `There is no note "${name}"${inFolder(folder)}.`, { hint });
  }
  if (found.length === 1) return note;
  const places = quoted([...new Set(found.map((one) => one.folder))].toSorted());
  throw new ToolError("ambiguous_match", `${found.length} notes are called "${name}", in ${places}.`, {
    hint: "Name the folder.",
  });
}

/** A note's bytes. Throws ToolError `invalid_value` for one above 8 MiB. */
export async function bytesOf({ files }: ToolContext, note: Note): Promise<Uint8Array> {
  if (note.size <= mostBytes) return files.read(note.path);
  throw new ToolError("invalid_value", `The note "${note.name}" is larger than 8 MiB.`, {
    hint: "Find the part you need with search.",
  });
}
