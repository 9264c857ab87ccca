// Packs what is published: every public workspace, or those named, as tarballs in a folder.
//   node scripts/pack.mjs <folder> [package…]
// A packed package has the license, and neither scripts nor the condition `source`, whose files stay here, nor
// what its package.json names as an extra.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const [folder, ...names] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("Say where the tarballs go: node scripts/pack.mjs <folder> [package…]");

const npm = (...args) =>
  execFileSync("npm", [...args, "--ignore-scripts", "--silent"], { cwd: root, encoding: "utf8" });
const withoutSource = (target) =>
  typeof target !== "object"
    ? target
    : Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== "source"));

const without = (name, { [name]: _, ...others } = {}) => others;

/** Whoever installs the program gets all that a person expects, though the core imports no plugin. */
function withBundle(manifest) {
  const bundle = "@pergola/bundle-standard";
  if (manifest.name !== "pergola") return manifest;
  const { [bundle]: version } = manifest.peerDependencies;
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, [bundle]: version },
    peerDependencies: without(bundle, manifest.peerDependencies),
    peerDependenciesMeta: without(bundle, manifest.peerDependenciesMeta),
  };
}

/** What the package names as an extra comes when somebody needs it. */
function withoutExtras(manifest) {
  const names = Object.values(manifest.pergolaExtras ?? {}).flatMap(({ packages }) => packages);
  return names.reduce(withoutExtra, manifest);
}

function withoutExtra({ dependencies, optionalDependencies, ...manifest }, name) {
  const version = { ...dependencies, ...optionalDependencies }[name];
  return {
    ...manifest,
    dependencies: without(name, dependencies),
    optionalDependencies: without(name, optionalDependencies),
    peerDependencies: { ...manifest.peerDependencies, [name]: version },
    peerDependenciesMeta: { ...manifest.peerDependenciesMeta, [name]: { optional: true } },
  };
}

/** The files that npm would take, in a folder of their own. */
function stage({ name, files }, stages) {
  const [from, to] = [path.join(root, "node_modules", name), path.join(stages, name.replace("/", "-"))];
  for (const { path: file } of files)
    cpSync(path.join(from, file), path.join(to, file), { dereference: true });
  cpSync(path.join(root, "LICENSE"), path.join(to, "LICENSE"));
  const { scripts: _, exports, ...own } = JSON.parse(readFileSync(path.join(from, "package.json"), "utf8"));
  const manifest = withoutExtras(withBundle(own));
  const entries = Object.entries(exports ?? {}).map(([entry, target]) => [entry, withoutSource(target)]);
  writeFileSync(
    path.join(to, "package.json"),
    `${JSON.stringify({ ...manifest, exports: Object.fromEntries(entries) }, null, 2)}\n`,
  );
  return to;
}

execFileSync(process.execPath, [path.join(root, "scripts", "build.mjs"), "--to-pack"]);
const { workspaces } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const all = JSON.parse(npm("query", ".workspace")).filter(
  (one) => one.private !== true && !one.location.startsWith("examples/"),
);
const wanted = names.length === 0 ? all.map(({ name }) => name) : names;
const unknown = wanted.filter((name) => all.every((one) => one.name !== name));
if (unknown.length > 0)
  throw new Error(`There is no package ${unknown.join(", ")} in ${workspaces.join(", ")}.`);

const stages = mkdtempSync(path.join(tmpdir(), "pergola-pack-"));
try {
  const listed = JSON.parse(npm("pack", "--dry-run", "--json", ...wanted.flatMap((name) => ["-w", name])));
  const folders = Object.values(listed).map((one) => stage(one, stages));
  mkdirSync(folder, { recursive: true });
  process.stdout.write(npm("pack", ...folders, "--pack-destination", path.resolve(folder)));
} finally {
  rmSync(stages, { recursive: true, force: true });
}
