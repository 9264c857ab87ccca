import { execFileSync, spawnSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { openRegistry, type NpmRegistry } from "./npm-registry.ts";
import { manifestOf, packedPackages, tarballOf } from "./packed.ts";

/** What npm is set to here. */
const settingOfNpm = (name: string): string =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();

/** Whether npm reaches the registry that it is set to use. */
export const hasRegistry = (): boolean =>
  spawnSync("npm", ["view", "empty-npm-package", "version", "--fetch-retries=0"]).status === 0;

/** How npm is set: it comes with nothing of this machine but its way to the network. */
export const npmSettings = (cache: string): Readonly<Record<string, string>> => ({
  npm_config_cache: cache,
  npm_config_userconfig: settingOfNpm("userconfig"),
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
  npm_config_prefer_offline: "true",
  npm_config_yes: "true",
});

/** A registry with all packages of ours, packed as for a release; npm is sent on for those of others. */
export async function publishAll(): Promise<NpmRegistry> {
  const registry = await openRegistry(settingOfNpm("registry"));
  for (const name of packedPackages.keys()) registry.publish({ ...manifestOf(name) }, tarballOf(name));
  return registry;
}

/** The room that the files below a folder take on disk, in MB. */
export function roomOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const blocks = files.map(({ parentPath, name }) => lstatSync(path.join(parentPath, name)).blocks);
  return (blocks.reduce((sum, count) => sum + count, 0) * 512) / 1e6;
}
