import { chmodSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Where the process stands: everything that decides which folders are meant. */
export interface Surroundings {
  readonly cwd?: string;
  readonly home?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The folder and all above it, the nearest first. */
export const upward = (folder: string): readonly string[] =>
  path.dirname(folder) === folder ? [folder] : [folder, ...upward(path.dirname(folder))];

/** The user's configuration folder for Pergola. */
export const configurationFolder = ({ home = homedir(), environment = process.env }: Surroundings): string =>
  path.join(environment["XDG_CONFIG_HOME"] || path.join(home, ".config"), "pergola");

/** The folder named, else PERGOLA_DATA, else the platform's own; made with mode 0700. */
export function openDataDirectory(
  named: string | undefined,
  { home = homedir(), environment = process.env, cwd = process.cwd() }: Surroundings,
): string {
  const shared = environment["XDG_DATA_HOME"] || path.join(home, ".local", "share");
  const ours =
    process.platform === "darwin"
      ? path.join(home, "Library", "Application Support", "Pergola")
      : path.join(shared, "pergola");
  const folder = path.resolve(cwd, named ?? environment["PERGOLA_DATA"] ?? ours);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}
