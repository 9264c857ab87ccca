// The licenses of packages that a build puts into files of ours.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

function licenseOf(folder) {
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  if (license === undefined) throw new Error(`${name} has no license file.`);
  return `${name} ${version}\n\n${readFileSync(path.join(folder, license), "utf8").trim()}\n`;
}

/** The files that esbuild has put into a bundle that it made in a folder, by their whole paths. */
export const filesIn = (folder, { inputs }) => Object.keys(inputs).map((file) => path.resolve(folder, file));

/** The texts of the packages that some files belong to; empty if they belong to none. */
export function licensesOf(files) {
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  const texts = [...new Set(packages)].sort().map(licenseOf);
  return [...new Set(texts)].join(`\n${"-".repeat(80)}\n\n`);
}
