import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { Extra } from "@pergola/kit-extras";
import { temporaryFolder } from "@pergola/sdk/testing";
import { findExtras } from "../../../core/supply/find-extras.ts";
import { pluginFolders, read, root } from "../../architecture/tree.ts";
import { manifestOf, packedPackages, type Package } from "../packed.ts";
import { linkTree } from "./link-tree.ts";
import { bundle, dependenciesOn, lockFor, withoutBundle } from "./lock.ts";

const ours = /^@pergola\//;

const isOptional = (name: string, peer: string): boolean =>
  manifestOf(name).peerDependenciesMeta?.[peer]?.optional === true;
const peersOf = (name: string): readonly string[] =>
  Object.keys(manifestOf(name).peerDependencies ?? {}).filter((peer) => !isOptional(name, peer));

/** A package, and those of ours that it cannot do without; a project can do without the bundle. */
function withOurs(name: string, found: readonly string[] = []): readonly string[] {
  if (found.includes(name) || !packedPackages.has(name)) return [...new Set([...found, name])];
  const needed = [...Object.keys(manifestOf(name).dependencies ?? {}), ...peersOf(name)].filter(
    (one) => ours.test(one) && one !== bundle,
  );
  return needed.reduce<readonly string[]>((all, one) => withOurs(one, all), [...found, name]);
}

/**
 * Native modules are not compiled again: what their install scripts have made at `npm ci` is taken from our
 * own tree, without the archives that only the compiler needed.
 */
export function copyCompiled(project: string): void {
  const { allowScripts } = JSON.parse(read("package.json")) as {
    readonly allowScripts: Readonly<Record<string, boolean>>;
  };
  for (const name of Object.keys(allowScripts).filter((one) => allowScripts[one])) {
    const place = path.join("node_modules", name);
    const [made, there] = [path.join(root, place, "build", "Release"), existsSync(path.join(project, place))];
    const files =
      there && existsSync(made)
        ? readdirSync(made, { withFileTypes: true }).filter(
            (entry) => entry.isFile() && !/\.a$/.test(entry.name),
          )
        : [];
    for (const file of files)
      cpSync(path.join(made, file.name), path.join(project, place, "build", "Release", file.name));
  }
}

/**
 * Installs packages into a project: ours from their tarballs, with those of ours that they name, and without
 * the bundle unless it is wanted. Rejects with what npm says when something is neither in its cache nor to be
 * had.
 */
export async function install(project: string, wanted: readonly string[]): Promise<void> {
  const names = [...new Set(wanted.flatMap((name) => withOurs(name)))];
  const manifest = {
    name: "somebodys-project",
    private: true,
    dependencies: dependenciesOn(names),
    ...(names.includes(bundle) ? {} : { overrides: withoutBundle }),
  };
  writeFileSync(path.join(project, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(project, "package-lock.json"), JSON.stringify(lockFor(names)));
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress"];
  await promisify(execFile)("npm", ["install", ...quiet], { cwd: project });
  copyCompiled(project);
}

/** What is installed below a project's `node_modules`, without what is only the place of another package. */
export function installedIn(project: string): readonly string[] {
  const modules = path.join(project, "node_modules");
  const names = readdirSync(modules).filter((name) => !name.startsWith("."));
  const all = names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(path.join(modules, name)).map((one) => `${name}/${one}`) : [name],
  );
  return all.filter((name) => name !== bundle || existsSync(path.join(modules, name, "plugin.json")));
}

/** The packages of an extra, without their versions. */
const namesOfExtra = ({ packages }: Extra): readonly string[] =>
  packages.map((one) => one.slice(0, one.lastIndexOf("@")));

/** What `pergola extras add` fetches for plugins. */
export const extrasFor = (ids: readonly string[]): readonly string[] =>
  findExtras(ids.map((id) => path.join(root, "plugins", id))).flatMap(namesOfExtra);

let all: Promise<string> | undefined;

/** A project with all packages of ours and what a person may install beside them; made once in a run. */
export const projectOfAll = (): Promise<string> =>
  (all ??= (async () => {
    const project = temporaryFolder("pergola-all-");
    await install(project, [...packedPackages.keys(), ...extrasFor(pluginFolders())]);
    return project;
  })());

/** The place in a project where Node finds a package that another one names; undefined = nowhere. */
function placeOf(name: string, from: string, project: string): string | undefined {
  const place = path.join(from, "node_modules", name);
  if (existsSync(path.join(project, place, "package.json"))) return place;
  return from === "." ? undefined : placeOf(name, path.dirname(from), project);
}

/** What a package cannot do without, and what npm tries to install with it. */
function needsOf(folder: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Package;
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((one) => peerDependenciesMeta[one]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The places of packages and of all that they need, where a package stands before those within it. */
function placesOf(names: readonly string[], project: string): readonly string[] {
  const found = new Set<string>();
  const take = (name: string, from: string): void => {
    const place = placeOf(name, from, project);
    if (place === undefined || found.has(place) || (name === bundle && !names.includes(bundle))) return;
    found.add(place);
    for (const one of needsOf(path.join(project, place))) take(one, place);
  };
  for (const name of names) take(name, ".");
  return [...found].sort();
}

/** Puts packages and all that they need into a project, but what is there already; gives their places. */
function addTo(project: string, names: readonly string[], from: string): readonly string[] {
  const places = placesOf(names, from).filter((place) => !existsSync(path.join(project, place)));
  for (const place of places) linkTree(path.join(from, place), path.join(project, place), ["node_modules"]);
  return places;
}

/** Projects with the core alone, in which nothing is at work. */
const free: string[] = [];

function openProject(from: string): string {
  const known = free.pop();
  if (known !== undefined) return known;
  const project = path.join(temporaryFolder("pergola-alone-"), "project");
  addTo(project, ["pergola"], from);
  const program = path.join("node_modules", ".bin", "pergola");
  mkdirSync(path.dirname(path.join(project, program)));
  symlinkSync(readlinkSync(path.join(from, program)), path.join(project, program));
  return project;
}

/** A project, and how to end the work in it. */
export interface AloneProject {
  readonly folder: string;
  /** Leaves of it the core alone, for the next one. */
  readonly close: () => void;
}

/**
 * A project with the core and these packages beside it, each with what npm installs for it and nothing else:
 * npm has installed all packages once, and those are taken that Node finds from the named ones. What one of
 * them brings cannot stand in for what another forgot to name: a test of every package.json compares names
 * with imports.
 */
export async function projectWith(names: readonly string[]): Promise<AloneProject> {
  const from = await projectOfAll();
  const folder = openProject(from);
  const places = addTo(folder, names, from);
  mkdirSync(path.join(folder, "work"));
  return {
    folder,
    close: () => {
      const made = readdirSync(folder).filter((name) => name !== "node_modules");
      for (const one of [...places, ...made])
        rmSync(path.join(folder, one), { recursive: true, force: true });
      free.push(folder);
    },
  };
}

/**
 * The modules of packages that a package's built code imports, wherever it does: the lazy ones too, which no
 * test may come to need. Those are left out that are its user's choice.
 */
export async function modulesNamedBy(project: string, name: string): Promise<readonly string[]> {
  const dist = path.join(project, "node_modules", name, "dist");
  const { metafile } = await build({
    entryPoints: readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js"))
      .map((file) => path.join(dist, file)),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
    outdir: dist,
    logLevel: "error",
  });
  const named = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .flatMap(({ path: one, external }) => (external === true && !isBuiltin(one) ? [one] : []));
  return [...new Set(named)].filter((one) => !isOptional(name, one));
}
