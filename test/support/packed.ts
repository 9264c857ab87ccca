import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";

export const packedPackages = [
  "@pergola/sdk",
  "pergola",
  "@pergola/service-isolation",
  "@pergola/tool-think",
  "@pergola/storage-sqlite",
] as const;

let folder: string | undefined;

/** A folder with the tarballs of some packages, packed as for a release, once in a test run. */
export function packed(): string {
  if (folder !== undefined) return folder;
  folder = temporaryFolder("pergola-packed-");
  execFileSync(process.execPath, [path.join(root, "scripts", "pack.mjs"), folder, ...packedPackages], { stdio: "pipe" });
  return folder;
}

/** A package's tarball. */
export const tarballOf = (name: string): string => {
  const start = `${name.replace("@", "").replace("/", "-")}-`;
  return path.join(packed(), readdirSync(packed()).find((file) => file.startsWith(start) && /^\d/.test(file.slice(start.length))) ?? "");
};

/** What a package's users get, unpacked into a new folder. */
export function unpacked(name: string): string {
  const to = path.join(temporaryFolder(), "package");
  mkdirSync(to);
  execFileSync("tar", ["xzf", tarballOf(name), "--strip-components=1", "-C", to]);
  return to;
}
