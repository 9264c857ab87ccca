import { accessSync, constants } from "node:fs";
import path from "node:path";

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Looks for git in the folders of a search path; says what to do when it is in none. Each start waits for it:
 * some system calls take less time at once than the promises of them.
 */
export function findGit(searchPath = "") {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  if (folders.some((folder) => isProgram(path.join(folder, "git")))) return undefined;
  return {
    reason: "The program git is not installed.",
    remedy: "Install git 2.38 or newer and start the service again.",
  };
}
