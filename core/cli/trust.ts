import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { countOf } from "@pergola/sdk";
import { writeTrusted, type TrustedFiles } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import {
  distrustFolder,
  lookToTrust,
  trustStates,
  type TrustState,
  type Trustworthy,
} from "../settings/trust.ts";
import { isConfirmed } from "./ask-person.ts";
import { printJson, printLines, printNote, printResult } from "./print-result.ts";
import { visible } from "./visible.ts";

interface TrustOptions {
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/**
 * Lets the settings, instructions, skills and tools of a folder count, as long as they stay as they are now,
 * after showing them and asking. Without a folder it lists those that are trusted.
 */
export async function trust(folder: string | undefined, options: TrustOptions): Promise<void> {
  if (folder === undefined) return list(options);
  if (options.remove === true) return remove(folder, options);
  const found = await lookToTrust(folder);
  printNote(reviewOf(found).join("\n"));
  if (options.yes !== true && isForReview(found))
    if (!(await isConfirmed("Have you read these files, and trust them as they are now?", "--yes")))
      return printNote("Nothing has changed: what was trusted before still is.");
  writeTrusted(found.folder, found.files, {});
  const lines = trustedParts(found.files).map(({ name, files }) => {
    const place = visible(path.join(found.folder, name));
    if (files === undefined) return `Trusted ${place}. A change of the file asks again.`;
    return `Trusted ${place} (${countOf(files, "file")}). A change of any of them asks again.`;
  });
  printResult(options, { folder: found.folder, files: found.files, leftOut: found.leftOut }, lines);
}

function remove(folder: string, { json }: TrustOptions): void {
  if (!distrustFolder(folder)) throw fault("not_found", `${folder} is not trusted. pergola trust lists all.`);
  if (json) printJson({ success: true });
  else printLines([`${visible(path.resolve(folder))} is trusted no more.`]);
}

async function list(options: TrustOptions): Promise<void> {
  if (options.remove) throw fault("invalid_value", "Name the folder: pergola trust <folder> --remove");
  const states = await trustStates();
  const none = "No folder is trusted. To trust one: pergola trust <folder>";
  printResult(options, { folders: states }, states.length === 0 ? [none] : states.map(stateLine));
}

function stateLine({ folder, trusted, differing }: TrustState): string {
  const all = `${visible(folder)}: ${countOf(trusted.length, "file")}`;
  if (differing.length === 0) return all;
  return `${all}; not in force, for it is not as it was: ${differing.map(visible).join(", ")}`;
}

/** A settings file alone only sets what the person can look up. */
const isForReview = ({ files }: Trustworthy): boolean => Object.keys(files).some((name) => !isSettings(name));

const isSettings = (name: string): boolean =>
  /^(pergola\.config\.(json|ya?ml)|\.pergolarc|package\.json)$/.test(name);

/** Folders of skills, with the number of their files, and the files that are in none. */
function trustedParts(files: TrustedFiles): readonly { readonly name: string; readonly files?: number }[] {
  const names = Object.keys(files).toSorted();
  const skills = names.filter((name) => path.basename(name) === "SKILL.md").map((name) => path.dirname(name));
  const isIn = (skill: string, name: string): boolean => name.startsWith(skill + path.sep);
  const others = names.filter((name) => !skills.some((skill) => isIn(skill, name)));
  return [
    ...others.map((name) => ({ name })),
    ...skills.map((name) => ({ name, files: names.filter((each) => isIn(name, each)).length })),
  ];
}

/** Lines that are shown of a text, and bytes of the largest one. */
const shown = 12;
const largest = 1 << 20;

/** What is to be trusted: each file with its size, and the first lines of those that hold text. */
function reviewOf({ folder, files, leftOut }: Trustworthy): readonly string[] {
  const names = Object.keys(files).toSorted();
  const hasTools = names.some((name) => name.startsWith(path.join(".pergola", "tools") + path.sep));
  const tools = hasTools ? ["Tools are programs: each works as far as the permissions in it reach."] : [];
  return [
    `${folder} has:`,
    ...names.flatMap((name) => linesOf(path.join(folder, name), name)),
    ...tools,
    ...leftOut.map((each) => `Left out: ${each}.`),
  ];
}

function linesOf(file: string, name: string): readonly string[] {
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) return [`  ${name} (a link to ${readlinkSync(file)}, which is not followed)`];
  if (!facts?.isFile()) return [`  ${name}`];
  const head = `  ${name} (${facts.size.toLocaleString("en")} bytes)`;
  const text = facts.size > largest ? "\0" : readFileSync(file, "utf8");
  if (text.includes("\0")) return [head];
  const lines = text.trimEnd().split("\n");
  const left = lines.length - shown;
  const more = left > 0 ? [`    … ${countOf(left, "more line")}: read them in ${file}`] : [];
  return [head, ...lines.slice(0, shown).map((line) => `    | ${line}`), ...more];
}
