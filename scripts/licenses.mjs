// The licenses of packages that a build puts into files of ours.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

function licenseOf(root, name) {
  const folder = path.join(root, "node_modules", name);
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  if (license === undefined) throw new Error(`${name} has no license file.`);
  return `${name} ${version}\n\n${readFileSync(path.join(folder, license), "utf8").trim()}\n`;
}

/** The texts of the packages that a bundle of esbuild holds; empty if it holds none. */
export function licensesOf(root, { inputs }) {
  const names = Object.keys(inputs).flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  const texts = [...new Set(names)].sort().map((name) => licenseOf(root, name));
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
