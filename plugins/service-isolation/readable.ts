import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";

export function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

const upward = (folder: string): readonly string[] => {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upward(parent)];
};

/** Where Node looks for packages from this folder. */
export const packageFolders = (folder: string): readonly string[] =>
  upward(folder)
    .map((each) => (path.basename(each) === "node_modules" ? each : path.join(each, "node_modules")))
    .filter((each) => existsSync(each));

/** The names of the packages that the one in a folder needs. */
export function dependenciesOf(folder: string): readonly string[] {
  try {
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
    } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Readonly<
      Record<string, Readonly<Record<string, string>>>
    >;
    return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  } catch {
    return [];
  }
}

function scopedNames(packages: string): readonly string[] {
  const scope = path.join(packages, "@pergola");
  if (!existsSync(scope)) return [];
  return readdirSync(scope).map((name) => `@pergola/${name}`);
}

/** Packages that are only linked lie elsewhere: where the links of dependencies and of the SDK lead. */
const linkedPackages = (folder: string): readonly string[] =>
  packageFolders(folder)
    .flatMap((packages) =>
      [...dependenciesOf(folder), ...scopedNames(packages)].map((name) => realOf(path.join(packages, name))),
    )
    .filter((target) => target !== undefined);

/** The folder of the package that a file belongs to. */
export function packageOf(file: string): string {
  const folder = path.dirname(file);
  return upward(folder).find((each) => existsSync(path.join(each, "package.json"))) ?? folder;
}

/** The folder of the plugin that an entry belongs to. */
export function pluginFolder(entry: string): string {
  const folder = path.dirname(entry);
  return upward(folder).find((each) => existsSync(path.join(each, "plugin.json"))) ?? folder;
}

/**
 * What the process of a plugin may read: the plugin's folder, the program of the process, and the packages
 * that the two can import. `entry` is the plugin's.
 */
export function readableFolders(entry: string, program: string): readonly string[] {
  const folder = pluginFolder(entry);
  const places = [folder, path.dirname(program), packageOf(program)];
  const real = places.map((place) => realOf(place) ?? place);
  const from = [folder, ...real];
  return [...new Set([...places, ...real, ...from.flatMap(packageFolders), ...from.flatMap(linkedPackages)])];
}
