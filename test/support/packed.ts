import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { kitFolders, pluginFolders, read, root } from "../architecture/tree.ts";

/** As much of a package.json as the tests read. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly mcpName?: string;
  readonly private?: boolean;
  readonly scripts?: object;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly [condition: string]: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The folders of all packages that are published, each under its package's name. */
export const packedPackages: ReadonlyMap<string, string> = new Map(
  ["sdk", ...kitFolders(), "core", ...pluginFolders().map((id) => `plugins/${id}`)]
    .map((folder) => ({ folder, manifest: JSON.parse(read(`${folder}/package.json`)) as Package }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => [manifest.name, folder]),
);

let folder: string | undefined;

/** A folder with the tarballs of all packages, packed as for a release, once in a test run. */
export function packed(): string {
  if (folder !== undefined) return folder;
  folder = temporaryFolder("pergola-packed-");
  execFileSync(process.execPath, [path.join(root, "scripts", "pack.mjs"), folder], { stdio: "pipe" });
  return folder;
}

/** A package's tarball. */
export const tarballOf = (name: string): string => {
  const start = `${name.replace("@", "").replace("/", "-")}-`;
  return path.join(
    packed(),
    readdirSync(packed()).find((file) => file.startsWith(start) && /^\d/.test(file.slice(start.length))) ??
      "",
  );
};

/** Puts what a package's users get into a new folder. */
export function unpack(name: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync("tar", ["xzf", tarballOf(name), "--strip-components=1", "-C", to]);
}

const opened = new Map<string, string>();

/** A folder with what a package's users get. */
export function unpacked(name: string): string {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const to = path.join(temporaryFolder(), "package");
  unpack(name, to);
  opened.set(name, to);
  return to;
}

/** The package.json that a package's users get. */
export const manifestOf = (name: string): Package =>
  JSON.parse(readFileSync(path.join(unpacked(name), "package.json"), "utf8")) as Package;
