import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { importsOf, readOrdinary, sha256, skillFolders } from "@pergola/sdk/host";
import type { Found, FoundSkill, InstructionText } from "./found.ts";
import type { SkillReader } from "./skill-reader.ts";

/** Where a person keeps what is theirs. */
export interface OwnPlaces {
  /** The configuration folder. */
  readonly configuration: string;
  readonly home: string;
}

/** A real path; undefined where there is nothing. Each turn asks for some, most of which are not there. */
export function realOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

/** The folders in which the person keeps skills: real paths, the first one first. */
export function ownSkillPlaces({ configuration, home }: OwnPlaces): readonly string[] {
  const places = [
    path.join(configuration, "skills"),
    path.join(home, ".agents", "skills"),
    path.join(home, ".claude", "skills"),
  ];
  return [...new Set(places.map(realOf).filter((place) => place !== undefined))];
}

/**
 * The person's own `AGENTS.md`, beside their settings, and their skills. These need no trust. A link in the
 * place of the file or of a folder of skills is theirs, and is followed. `skillPlaces`: as
 * `ownSkillPlaces` gives them.
 */
export async function readOwn(
  places: OwnPlaces,
  skillPlaces: readonly string[],
  reader: SkillReader,
): Promise<Found> {
  const skills: FoundSkill[] = [];
  const warnings: string[] = [];
  for (const place of skillPlaces) {
    const { folders, isCut } = await skillFolders(place);
    if (isCut) warnings.push(`${place} has too many folders: not all of them were looked at for skills.`);
    for (const folder of folders) {
      const file = path.join(folder, "SKILL.md");
      const bytes = await readOrdinary(file);
      if (bytes === undefined) continue;
      const read = await reader.read(file, { text: bytes.toString(), digest: sha256(bytes) }, true);
      if (typeof read === "string") warnings.push(read);
      else {
        skills.push(read.skill);
        warnings.push(...read.complaints);
      }
    }
  }
  return { texts: await ownTexts(places), skills, warnings };
}

/** The file, and those beside it that it names. */
async function ownTexts({ configuration }: OwnPlaces): Promise<readonly InstructionText[]> {
  const file = realOf(path.join(configuration, "AGENTS.md"));
  if (file === undefined) return [];
  const text = (await readOrdinary(file))?.toString();
  if (text === undefined) return [];
  const folder = realOf(configuration) ?? configuration;
  const texts = [{ path: path.join(configuration, "AGENTS.md"), text }];
  for (const name of importsOf(text, folder)) {
    const named = path.join(folder, name);
    const bytes = await readOrdinary(named);
    if (bytes !== undefined) texts.push({ path: named, text: bytes.toString() });
  }
  return texts;
}
