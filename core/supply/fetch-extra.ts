import { existsSync } from "node:fs";
import path from "node:path";
import { defined } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { FoundExtra } from "./find-extras.ts";
import { runNpm } from "./run-npm.ts";

/** Milliseconds that fetching may take: the largest extra has 680 MB. */
const patience = 3_600_000;

/** What npm is to do, and where. */
interface Installation {
  readonly words: readonly string[];
  readonly folder: string;
  /** The folder is the prefix of what is there for all folders. */
  readonly isGlobal: boolean;
}

/**
 * How an extra comes to where the package which names it finds it: into the project where Pergola is
 * installed, or beside a Pergola that is there for all folders. Throws AppError `invalid_value` in a clone.
 */
export function planInstallation({
  folder,
  packages,
}: Pick<FoundExtra, "folder" | "packages">): Installation {
  const [project = "", ...inside] = folder.split(`${path.sep}node_modules${path.sep}`);
  if (inside.length === 0) {
    const message = "Pergola runs from a clone, which brings all extras: run npm install in it.";
    throw fault("invalid_value", message);
  }
  // npm keeps a package.json of what it has installed in a folder, but none of what is there for all folders.
  if (existsSync(path.join(project, "package.json")))
    return { words: ["install", "--save-exact", ...packages], folder: project, isGlobal: false };
  const prefix = path.basename(project) === "lib" ? path.dirname(project) : project;
  return { words: ["install", "--global", ...packages], folder: prefix, isGlobal: true };
}

/** Fetches an extra by npm. Rejects with AppError. */
export async function fetchExtra(extra: FoundExtra): Promise<void> {
  const { words, folder, isGlobal } = planInstallation(extra);
  const prefix = isGlobal ? folder : undefined;
  await runNpm(words, folder, { scripts: extra.scripts, patience, ...defined({ prefix }) });
}
