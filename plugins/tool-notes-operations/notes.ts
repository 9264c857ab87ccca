import { closeNames, compareText, ToolError, type FileInfo, type ToolContext } from "@pergola/sdk";
import { sameTitle, titleOfFile, titleOfFolder } from "./file-name.ts";
import { notesFolder } from "./notes-folder.ts";

/** Times are milliseconds since 1970. */
export interface Note extends Pick<FileInfo, "path" | "size" | "created" | "modified"> {
  readonly name: string;
  /** The name of its folder; empty for a note in none. */
  readonly folder: string;
}

interface Folder {
  readonly name: string;
  readonly path: string;
}

const mostBytes = 8 * 2 ** 20;
const quote = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
/** ` in the folder "Work"`, or nothing for a note in no folder. */
export const inFolder = (folder = ""): string => folder && ` in the folder "${folder}"`;

/** What is neither hidden nor a link: links would lead out of the notes. */
async function entriesOf(
  { files }: ToolContext,
  folder: string,
  kind: FileInfo["kind"],
): Promise<readonly FileInfo[]> {
  if ((await files.stat(folder)) === undefined) return [];
  const entries = await files.list(folder);
  return entries.filter((entry) => entry.kind === kind && !entry.name.startsWith("."));
}

async function notesIn(context: ToolContext, folder: Folder): Promise<readonly Note[]> {
  const entries = await entriesOf(context, folder.path, "file");
  return entries.flatMap(({ name: file, path, size, created, modified }) => {
    const name = titleOfFile(file);
    if (name === undefined) return [];
    return {
      name,
      folder: folder.name,
      path,
      size,
      created,
      modified,
    };
  });
}

/** The folder that holds them all. */
const topFolder = (context: ToolContext): Folder => ({ name: "", path: notesFolder(context) });

/** The folders, in name order; none while there are no notes at all. */
export async function foldersOf(context: ToolContext): Promise<readonly Folder[]> {
  const entries = await entriesOf(context, notesFolder(context), "directory");
  return entries.map(({ name, path }) => ({ name: titleOfFolder(name), path }));
}

/** A folder by its name, whatever its case. Without a name it is the one that holds them all. */
export async function folderNamed(
  context: ToolContext,
  name: string | undefined,
): Promise<Folder | undefined> {
  if (name === undefined) return topFolder(context);
  return (await foldersOf(context)).find((folder) => sameTitle(folder.name, name));
}

/** The notes of one folder, or all; the newest first. Throws ToolError `not_found` for an unknown folder. */
export async function notesOf(context: ToolContext, folder?: string): Promise<readonly Note[]> {
  const folders = await foldersOf(context);
  const matching = folders.filter(({ name }) => folder === undefined || sameTitle(name, folder));
  if (folder === undefined) matching.unshift(topFolder(context));
  if (matching.length === 0)
    throw new ToolError("not_found", `There is no folder "${folder}".`, { hint: folderHint(folders) });
  const notes: (readonly Note[])[] = [];
  for (const each of matching) notes.push(await notesIn(context, each));
  return notes.flat().toSorted((a, b) => b.modified - a.modified || compareText(a.path, b.path));
}

function folderHint(folders: readonly Folder[]): string {
  if (folders.length === 0) return "There are no folders: leave folder out.";
  const names = folders.slice(0, 50).map(({ name }) => name);
  return `Folders: ${quote(names)}.`;
}

/** The notes that fit, or all when none does. */
function prefer(notes: readonly Note[], fits: (note: Note) => boolean): readonly Note[] {
  const fitting = notes.filter(fits);
  if (fitting.length > 0) return fitting;
  return notes;
}

/**
 * Of notes with the same name: those written exactly so before those in another case, and one in no folder
 * before those in one.
 */
function bestMatches(notes: readonly Note[], name: string): readonly Note[] {
  const same = notes.filter((note) => sameTitle(note.name, name));
  const exact = prefer(same, (note) => note.name === name);
  return prefer(exact, (note) => note.folder === "");
}

function noteHint(name: string, notes: readonly Note[]): string {
  const close = closeNames(name, [...new Set(notes.map((note) => note.name))]);
  if (close.length === 0) return "Look for it with search or list_notes.";
  return `Close to it: ${quote(close)}.`;
}

/**
 * The one note of a name, in the named folder or anywhere. Throws ToolError `not_found` or `ambiguous_match`.
 */
export async function noteNamed(context: ToolContext, name: string, folder?: string): Promise<Note> {
  const notes = await notesOf(context, folder);
  const found = bestMatches(notes, name);
  const [note] = found;
  if (note === undefined)
    throw new ToolError("not_found", `There is no note "${name}"${inFolder(folder)}.`, {
      hint: noteHint(name, notes),
    });
  if (found.length === 1) return note;
  const places = quote([...new Set(found.map((one) => one.folder))].toSorted());
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
