import { existsSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";
import type { FoundExtra } from "./find-extras.ts";
import { runNpm } from "./run-npm.ts";

/** Milliseconds that fetching may take: the largest extra has 680 MB. */
const patience = 3_600_000;

/**
 * What npm is to do so that the package which names the extra finds it: in the project where Pergola is
 * installed, or beside a Pergola that is there for all folders. Throws AppError `invalid_value` in a clone.
 */
export function installWords({
  folder,
  packages,
}: Pick<FoundExtra, "folder" | "packages">): readonly string[] {
  const [project = "", ...inside] = folder.split(`${path.sep}node_modules${path.sep}`);
  if (inside.length === 0) {
    const message = "Pergola runs from a clone, which brings all extras: run npm install in it.";
    throw fault("invalid_value", message);
  }
  // npm keeps a package.json of what it has installed in a folder, but none of what is there for all folders.
  if (existsSync(path.join(project, "package.json")))
    return ["install", "--prefix", project, "--save-exact", ...packages];
  const prefix = path.basename(project) === "lib" ? path.dirname(project) : project;
  return ["install", "--global", "--prefix", prefix, ...packages];
}

/** Fetches an extra by npm. Rejects with AppError. */
export async function fetchExtra(extra: FoundExtra): Promise<void> {
  await runNpm(installWords(extra), path.parse(extra.folder).root, { scripts: extra.scripts, patience });
}
