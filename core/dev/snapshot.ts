import { cpSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { ownFiles } from "../check/own-files.ts";
import type { Sources } from "./read-sources.ts";

/** Below its `node_modules`, so that a version finds the packages that its sources find. */
const versionsOf = ({ path: folder }: Sources): string =>
  path.join(folder, "node_modules", ".cache", `pergola-dev-${process.pid}`);

/**
 * Copies a package as it is now, without its packages, and gives the copy's folder: each version is code of
 * its own to Node, and what runs does not change when a file is saved.
 */
export function takeVersion(sources: Sources, number: number): string {
  const version = path.join(versionsOf(sources), String(number));
  for (const file of ownFiles(sources.path)) {
    const copy = path.join(version, path.relative(sources.path, file));
    mkdirSync(path.dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  return version;
}

/** Removes one version. */
export function dropVersion(version: string): void {
  rmSync(version, { recursive: true, force: true });
}

/** Removes all versions, and the folders around them that hold nothing else. */
export function dropVersions(sources: Sources): void {
  const versions = versionsOf(sources);
  rmSync(versions, { recursive: true, force: true });
  for (const folder of [path.dirname(versions), path.dirname(path.dirname(versions))])
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
