import { existsSync } from "node:fs";
import path from "node:path";
import { configurationFolder, upward, type Surroundings } from "@pergola/sdk/host";
import { readFolder, type Reading } from "./read-folder.ts";
import type { Found, FoundSkill } from "./found.ts";
import { ownSkillPlaces, readOwn, realOf, type OwnPlaces } from "./read-own.ts";
import { SkillReader } from "./skill-reader.ts";
import { FileDigests } from "./verified-files.ts";

/**
 * The folders from the root of the git repository down to the working directory; outside of a repository that
 * alone. `folder`: a real path.
 */
export function foldersFor(folder: string): readonly string[] {
  const all = upward(folder);
  const root = all.findIndex((each) => existsSync(path.join(each, ".git")));
  return all.slice(0, Math.max(root, 0) + 1).toReversed();
}

/** Finds the instructions and skills for a working directory, each time as they are now. */
export class InstructionFinder {
  readonly #where: Surroundings & Required<Pick<Surroundings, "home">>;
  readonly #digests: FileDigests;
  readonly #skills = new SkillReader();

  /** `now`: milliseconds since 1970. */
  constructor(where: Surroundings & Required<Pick<Surroundings, "home">>, now: () => number) {
    this.#where = where;
    this.#digests = new FileDigests(now);
  }

  /**
   * The texts, the most general first; the skills, one of each name, in the order of their names. Without a
   * working directory, or where it does not exist yet, the person's own.
   */
  async find(workingDirectory: string | undefined): Promise<Found> {
    const places: OwnPlaces = { configuration: configurationFolder(this.#where), home: this.#where.home };
    const real = workingDirectory === undefined ? undefined : realOf(workingDirectory);
    const configuration = realOf(places.configuration);
    const folders = real === undefined ? [] : foldersFor(real).filter((each) => each !== configuration);
    const ownPlaces = ownSkillPlaces(places);
    const reading: Reading = {
      where: this.#where,
      digests: this.#digests,
      skills: this.#skills,
      ownPlaces,
    };
    const [own, ...others] = await Promise.all([
      readOwn(places, ownPlaces, this.#skills),
      ...folders.map((folder) => readFolder(folder, reading)),
    ]);
    const all = [own, ...others];
    const { skills, warnings } = distinct([...others.toReversed(), own].flatMap((found) => found.skills));
    return {
      texts: all.flatMap(({ texts }) => texts),
      skills,
      warnings: [...all.flatMap((found) => found.warnings), ...warnings],
    };
  }
}

/** The first skill of each name, and which others there are; the same one twice is no matter. */
function distinct(all: readonly FoundSkill[]): Pick<Found, "skills" | "warnings"> {
  const chosen = new Map<string, FoundSkill>();
  const warnings: string[] = [];
  for (const skill of all) {
    const first = chosen.get(skill.name);
    if (first === undefined) chosen.set(skill.name, skill);
    else if (first.digest !== skill.digest)
      warnings.push(`The skill ${skill.path} is not used: ${first.path} has the same name.`);
  }
  const skills = [...chosen.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { skills, warnings };
}
