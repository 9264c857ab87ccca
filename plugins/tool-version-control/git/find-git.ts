import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";

/** Looks for git in the folders of a search path; says what to do when it is in none. */
export async function findGit(searchPath = "") {
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = await Promise.allSettled(
    folders.map((folder) => access(path.join(folder, "git"), constants.X_OK)),
  );
  if (found.some(({ status }) => status === "fulfilled")) return undefined;
  return {
    reason: "The program git is not installed.",
    remedy: "Install git 2.38 or newer and start the service again.",
  };
}
