import path from "node:path";
import {
  importsOf,
  instructionsIn,
  readOrdinary,
  sha256,
  skillDigests,
  skillFolders,
  type TrustedFiles,
} from "@pergola/sdk/host";

/** What a folder has for models, as it is now. */
export interface InstructionDigests {
  readonly files: TrustedFiles;
  /** What is there and is not used, trusted or not, and why. */
  readonly leftOut: readonly string[];
}

/** The instructions of a folder with the files that they name, and its skills. `folder`: a real path. */
export async function instructionDigests(folder: string): Promise<InstructionDigests> {
  const { file, skills, links } = instructionsIn(folder);
  const files: Record<string, string> = {};
  const leftOut = links.map((name) => `${path.join(folder, name)}: symbolic links are not followed`);
  if (file !== undefined) {
    const text = await digestInto(files, folder, file);
    if (text === undefined) leftOut.push(`${path.join(folder, file)}: it cannot be read, or is over 1 MiB`);
    for (const name of importsOf(text ?? "", folder)) await digestInto(files, folder, name);
  }
  for (const place of skills) {
    const found = await skillFolders(path.join(folder, place));
    if (found.isCut) leftOut.push(`${path.join(folder, place)}: not all of its many folders were looked at`);
    for (const skill of found.folders) {
      const digests = await skillDigests(folder, skill);
      const text = path.join(skill, "SKILL.md");
      if (digests !== undefined && (await readOrdinary(text)) === undefined) {
        leftOut.push(`${text}: it cannot be read, or is over 1 MiB`);
        continue;
      }
      if (digests === undefined) leftOut.push(`${skill}: it cannot be read, or is too large for a skill`);
      Object.assign(files, digests);
    }
  }
  return { files, leftOut };
}

/** Adds the digest of a text; its text, undefined where it is none. */
async function digestInto(
  files: Record<string, string>,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const bytes = await readOrdinary(path.join(folder, name));
  if (bytes === undefined) return undefined;
  files[name] = sha256(bytes);
  return bytes.toString();
}
