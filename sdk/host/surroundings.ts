import { homedir } from "node:os";
import path from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the process stands: everything that decides which folders are meant. */
export interface Surroundings {
  readonly cwd?: string;
  readonly home?: string;
  readonly environment?: Environment;
}

/** The folder and all above it, the nearest first. */
export function upward(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  if (parent === folder) return [folder];
  return [folder, ...upward(parent)];
}

/** The user's configuration folder for Pergola. */
export const configurationFolder = ({ home = homedir(), environment = process.env }: Surroundings): string =>
  path.join(environment["XDG_CONFIG_HOME"] || path.join(home, ".config"), "pergola");
