import { accessSync, constants, lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { FileSettings } from "./client.ts";
import type { Connection } from "./connect.ts";
import { changedLines } from "./changed-lines.ts";
import { mergeJson } from "./merge-json.ts";
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

function hindranceOf(file: string, size: number): string | undefined {
  if (size > largest) return "is too large to be changed.";
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return "must not be read or written by this account, so it was not touched.";
  }
}

/** The text of the file with the settings in it; undefined where no library can put them in. */
function merged(before: string | undefined, settings: FileSettings, text: string): string | undefined {
  if (before === undefined || before.trim() === "") return text;
  if (settings.format === "toml") return mergeToml(before, settings.text);
  if (settings.format === "yaml") return mergeYaml(before, settings.values);
  return mergeJson(before, settings.values, settings.stale);
}

/** Works out what writing a client's settings would change. It changes nothing. */
export function planChange({ file, settings, text, title }: Connection): Plan {
  if (file === null || settings.format === "sh" || settings.format === "steps")
    return refused(`The settings of ${title} are in no file that could be written: follow what is shown.`);
  const target = targetOf(file);
  if (target === undefined)
    return refused(`${file} is a folder, a link to nothing, or another account's, so it was not touched.`);
  const size = statSync(target, { throwIfNoEntry: false })?.size;
  const hindrance = size === undefined ? undefined : hindranceOf(target, size);
  if (hindrance !== undefined) return refused(`${file} ${hindrance}`);
  const before = size === undefined ? undefined : readFileSync(target, "utf8");
  const after = merged(before, settings, text);
  if (after === undefined)
    return refused(`${file} cannot be changed without losing what is in it: add the settings yourself.`);
  if (after === before)
    return { change: undefined, isDone: true, reason: `${file} has these settings already.` };
  return { change: { file, target, before, after, lines: changedLines(before ?? "", after) } };
}
