import path from "node:path";
import type { Computer } from "./client.ts";

const pathsOf = ({ platform }: Computer) => (platform === "win32" ? path.win32 : path.posix);

/** A file below the home folder. */
export const inHome = (computer: Computer, ...names: readonly string[]): string =>
  pathsOf(computer).join(computer.home, ...names);

/** A file below the folder that a variable names, or below one of the home folder. */
export const inFolderOf = (
  computer: Computer,
  variable: string,
  usual: string,
  ...names: readonly string[]
) => pathsOf(computer).join(computer.environment[variable] || inHome(computer, usual), ...names);

/** A file below the folder that programs take for their settings on Unix: `$XDG_CONFIG_HOME`. */
export function inConfiguration(computer: Computer, ...names: readonly string[]): string {
  const folder = computer.environment["XDG_CONFIG_HOME"] || inHome(computer, ".config");
  return pathsOf(computer).join(folder, ...names);
}

/** A file below the folder that desktop programs take for their settings on each platform. */
export function inApplicationData(computer: Computer, ...names: readonly string[]): string {
  const { platform, environment } = computer;
  if (platform === "darwin") return inHome(computer, "Library", "Application Support", ...names);
  if (platform !== "win32") return inConfiguration(computer, ...names);
  return path.win32.join(environment["APPDATA"] || inHome(computer, "AppData", "Roaming"), ...names);
}
