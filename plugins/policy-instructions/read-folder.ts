import path from "node:path";
import {
  importsOf,
  instructionsIn,
  skillDigests,
  skillFolders,
  trustedDigests,
  type FolderInstructions,
  type Surroundings,
} from "@pergola/sdk/host";
import type { Found, FoundSkill, InstructionText } from "./found.ts";
import type { SkillReader } from "./skill-reader.ts";
import { differences, readVerified, type FileDigests, type Trusted } from "./verified-files.ts";

/** What folders are read with. */
export interface Reading {
  readonly where: Surroundings;
  readonly digests: FileDigests;
  readonly skills: SkillReader;
  /** Folders of skills that are the person's own, and are read as such: real paths. */
  readonly ownPlaces: readonly string[];
}

const nothing: Found = { texts: [], skills: [], warnings: [] };

/** A folder's name for a shell. */
const quoted = (folder: string): string =>
  /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`;

const listOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ");

/**
 * The instructions and skills of a folder, as far as it is trusted with exactly these bytes. Nothing is read
 * of one that is not. `folder`: a real path.
 */
export async function readFolder(folder: string, reading: Reading): Promise<Found> {
  const there = instructionsIn(folder);
  const skills = there.skills.filter((place) => !reading.ownPlaces.includes(path.join(folder, place)));
  const links = there.links.map((name) => `${path.join(folder, name)} is a link, which is not followed.`);
  if (there.file === undefined && skills.length === 0) return { ...nothing, warnings: links };
  const digests = trustedDigests(folder, reading.where);
  if (digests === undefined)
    return { ...nothing, warnings: [notTrusted(folder, { ...there, skills }), ...links] };
  const work = new FolderReading({ folder, digests }, reading);
  if (there.file !== undefined) await work.addTexts(there.file);
  for (const place of skills) await work.addSkills(place);
  const found = work.found();
  return { ...found, warnings: [...found.warnings, ...links] };
}

function notTrusted(folder: string, { file, skills }: Pick<FolderInstructions, "file" | "skills">): string {
  const places = skills.length > 0 ? [`the skills in ${listOf(skills)}`] : [];
  const what = listOf([...(file === undefined ? [] : [file]), ...places]);
  const verb = file !== undefined && places.length === 0 ? "is" : "are";
  return (
    `In ${folder}, ${what} ${verb} not used, because you do not trust this folder. ` +
    `To read and then use them, run: pergola trust ${quoted(folder)}`
  );
}

/** One trusted folder, while it is read. */
class FolderReading {
  readonly #trusted: Trusted;
  readonly #reading: Reading;
  readonly #texts: InstructionText[] = [];
  readonly #skills: FoundSkill[] = [];
  readonly #warnings: string[] = [];
  /** What is not as it was trusted. */
  readonly #differing: string[] = [];

  constructor(trusted: Trusted, reading: Reading) {
    this.#trusted = trusted;
    this.#reading = reading;
  }

  /** The file of instructions, and those that it names. */
  async addTexts(name: string): Promise<void> {
    const text = await this.#addText(name);
    if (text === undefined) return;
    for (const named of importsOf(text, this.#trusted.folder)) await this.#addText(named);
  }

  async addSkills(place: string): Promise<void> {
    const { folder } = this.#trusted;
    const { folders, isCut } = await skillFolders(path.join(folder, place));
    for (const skill of folders) await this.#addSkill(path.relative(folder, skill));
    if (isCut)
      this.#warnings.push(
        `${path.join(folder, place)} has too many folders: not all of them were looked at for skills.`,
      );
  }

  found(): Found {
    const warnings = [...this.#differences(), ...this.#warnings];
    return { texts: this.#texts, skills: this.#skills, warnings };
  }

  #differences(): readonly string[] {
    const { folder } = this.#trusted;
    if (this.#differing.length === 0) return [];
    return [
      `In ${folder}, ${listOf(this.#differing)} since you trusted this folder, and what that belongs to is ` +
        `not used. To read it and then use it as it is now, run: pergola trust ${quoted(folder)}`,
    ];
  }

  async #addText(name: string): Promise<string | undefined> {
    const verified = await readVerified(this.#trusted, name);
    if ("difference" in verified) {
      this.#differing.push(`${name} ${verified.difference}`);
      return undefined;
    }
    this.#texts.push({ path: path.join(this.#trusted.folder, name), text: verified.text });
    return verified.text;
  }

  async #addSkill(name: string): Promise<void> {
    const { folder } = this.#trusted;
    const now = await skillDigests(folder, path.join(folder, name), this.#reading.digests.of);
    if (now === undefined) {
      this.#warnings.push(`${path.join(folder, name)} cannot be read, or is too large for a skill.`);
      return;
    }
    const [first] = differences(this.#trusted, name, now);
    if (first !== undefined) {
      this.#differing.push(first.join(" "));
      return;
    }
    const file = path.join(name, "SKILL.md");
    const verified = await readVerified(this.#trusted, file);
    if ("difference" in verified) this.#differing.push(`${file} ${verified.difference}`);
    else this.#keep(await this.#reading.skills.read(path.join(folder, file), verified, false));
  }

  #keep(read: Awaited<ReturnType<SkillReader["read"]>>): void {
    if (typeof read === "string") {
      this.#warnings.push(read);
      return;
    }
    this.#skills.push(read.skill);
    this.#warnings.push(...read.complaints);
  }
}
