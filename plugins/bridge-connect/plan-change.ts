import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { FileSettings } from "./client.ts";
import type { Connection } from "./connect.ts";
import { changedLines } from "./changed-lines.ts";
import { jsonFaultLine, mergeJson } from "./merge-json.ts";
import { mergeToml } from "./merge-toml.ts";
import { mergeYaml } from "./merge-yaml.ts";

/** A change of a client's file, worked out and not made. */
export interface Change {
  /** The file as the client names it, and the one behind links. */
  readonly file: string;
  readonly target: string;
  /** Its bytes now; undefined = it is not there. */
  readonly before: string | undefined;
  readonly after: string;
  /** What the change does, as lines that begin with `-`, `+` or a space. */
  readonly lines: readonly string[];
}

/** A change, or why there is none: the settings are there already, or only the person can add them. */
export type Plan =
  | { readonly change: Change }
  | { readonly change: undefined; readonly isDone: boolean; readonly reason: string };

/** Bytes of the largest file that is changed. */
const largest = 4 << 20;

const refused = (reason: string): Plan => ({ change: undefined, isDone: false, reason });

/** Where a file is behind links; a link to nothing is not followed. Undefined = no such regular file. */
function targetOf(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return file;
  try {
    const target = realpathSync(file);
    const { uid } = statSync(target);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    return statSync(target).isFile() && isOwn ? target : undefined;
  } catch {
    return undefined;
  }
}

function isAllowed(place: string, mode: number): boolean {
  try {
    accessSync(place, mode);
    return true;
  } catch {
    return false;
  }
}

/** The innermost folder above a file that is there. */
function folderOf(file: string): string {
  const folder = path.dirname(file);
  return existsSync(folder) || folder === path.dirname(folder) ? folder : folderOf(folder);
}

/** Why a file cannot be replaced by another one; undefined where it can. */
function hindranceOf(file: string): string | undefined {
  const folder = folderOf(file);
  if (!isAllowed(folder, constants.W_OK | constants.X_OK))
    return `cannot be written: this account may not write in ${folder}.`;
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  if (size > largest) return "is too large to be changed.";
  if (isAllowed(file, constants.R_OK | constants.W_OK)) return undefined;
  return "must not be read or written by this account, so it was not touched.";
}

/** The text of the file with the settings in it; undefined where no library can put them in. */
function merged(before: string | undefined, settings: FileSettings, text: string): string | undefined {
  if (before === undefined || before.trim() === "") return text;
  if (settings.format === "toml") return mergeToml(before, settings.text);
  if (settings.format === "yaml") return mergeYaml(before, settings.values);
  return mergeJson(before, settings.values, settings.stale);
}

/** Works out what writing a client's settings would change. It changes nothing. */
export function planChange({ file, settings, text, title, hindrance }: Connection): Plan {
  if (file === null || settings.format === "sh" || settings.format === "steps")
    return refused(`The settings of ${title} are in no file that could be written: follow what is shown.`);
  if (hindrance !== undefined) return refused(hindrance);
  const target = isAllowed(folderOf(file), constants.X_OK) ? targetOf(file) : file;
  if (target === undefined)
    return refused(`${file} is a folder, a link to nothing, or another account's, so it was not touched.`);
  const obstacle = hindranceOf(target);
  if (obstacle !== undefined) return refused(`${file} ${obstacle}`);
  return changeOf({ file, target }, settings, text);
}

function changeOf(
  { file, target }: Pick<Change, "file" | "target">,
  settings: FileSettings,
  text: string,
): Plan {
  const before = existsSync(target) ? readFileSync(target, "utf8") : undefined;
  const after = merged(before, settings, text);
  if (after === undefined) return refused(faultIn(file, before ?? "", settings));
  if (after === before)
    return { change: undefined, isDone: true, reason: `${file} has these settings already.` };
  return { change: { file, target, before, after, lines: changedLines(before ?? "", after) } };
}

/** What is wrong with a file in which no library can change anything. */
function faultIn(file: string, before: string, settings: FileSettings): string {
  const { format } = settings;
  const line = settings.format === "json" ? jsonFaultLine(before, settings.values) : undefined;
  const place = line === undefined ? "" : `, from line ${line} on`;
  return `${file} cannot be read as ${format.toUpperCase()}${place}: mend it, or add the settings yourself.`;
}
