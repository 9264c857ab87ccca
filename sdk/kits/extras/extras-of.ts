import { readFileSync } from "node:fs";
import path from "node:path";
import { findPackage } from "./find-package.ts";

/** Packages that a published package leaves out for their size: `pergola extras add` fetches them. */
export interface Extra {
  readonly name: string;
  /** What cannot be done without it: "Opening SSH connections". */
  readonly purpose: string;
  /** Room on disk, with all that the packages bring, in MB. */
  readonly megabytes: number;
  /** As npm takes them: `ssh2@1.17.0`. */
  readonly packages: readonly string[];
  /** Names of the packages whose install scripts must run. */
  readonly scripts: readonly string[];
  readonly isInstalled: boolean;
}

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly pergolaExtras?: Readonly<
    Record<string, Pick<Extra, "purpose" | "megabytes" | "packages"> & Partial<Pick<Extra, "scripts">>>
  >;
}

/**
 * The extras that the package in a folder names under `pergolaExtras` in its package.json. Throws Error for a
 * package of one that has no version there: no other than the tested one is fetched.
 */
export function extrasOf(folder: string): readonly Extra[] {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Manifest;
  const { pergolaExtras = {}, dependencies, optionalDependencies, peerDependencies } = manifest;
  const versions: Versions = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const pinned = (name: string): string => {
    const version = versions[name];
    if (version === undefined) throw new Error(`The package.json in ${folder} gives ${name} no version.`);
    return `${name}@${version}`;
  };
  return Object.entries(pergolaExtras).map(([name, { packages, scripts = [], ...facts }]) => ({
    name,
    ...facts,
    packages: packages.map(pinned),
    scripts,
    isInstalled: packages.every((one) => findPackage(one, folder) !== undefined),
  }));
}
