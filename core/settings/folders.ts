import { chmodSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { Environment, Surroundings } from "@pergola/sdk/host";
import { checkNoneInterrupted } from "./interrupted-restore.ts";

/** The home folder of the person. */
export const homeFolder = ({ home = homedir() }: Surroundings): string => home;

/** The folder named, else PERGOLA_DATA, else the platform's own. */
export function findDataDirectory(
  named: string | undefined,
  { home = homedir(), environment = process.env, cwd = process.cwd() }: Surroundings,
): string {
  return path.resolve(cwd, named ?? environment["PERGOLA_DATA"] ?? customaryFolder(home, environment));
}

/**
 * The same, made with mode 0700. Throws AppError `storage_unavailable` where a restore was interrupted while
 * the folder was away.
 */
export function openDataDirectory(named: string | undefined, surroundings: Surroundings): string {
  const folder = findDataDirectory(named, surroundings);
  checkNoneInterrupted(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** Where programs keep their data on this platform. */
function customaryFolder(home: string, environment: Environment): string {
  if (process.platform === "darwin") return path.join(home, "Library", "Application Support", "Pergola");
  return path.join(environment["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "pergola");
}
