import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read, root } from "../../architecture/tree.ts";
import { manifestOf, packedPackages, unpack } from "../packed.ts";
import { linkTree } from "./link-tree.ts";
import { bundle, dependenciesOn, lockFor, withoutBundle } from "./lock.ts";

const ours = /^@pergola\//;
const sdk = "@pergola/sdk";

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

/** Whether npm has anything to do for a package but to unpack it. */
function needsMore(name: string): boolean {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(name);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peersOf(name)].some(
    (one) => one !== sdk,
  );
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

let core: Promise<string> | undefined;

/** A project with the core and what it cannot do without, and nothing else; installed once in a test run. */
export const coreProject = (): Promise<string> =>
  (core ??= (async () => {
    const project = temporaryFolder("pergola-core-");
    await install(project, ["pergola"]);
    return project;
  })());

/** What is installed below a project's `node_modules`, without what is only the place of another package. */
export function installedIn(project: string): readonly string[] {
  const modules = path.join(project, "node_modules");
  const names = readdirSync(modules).filter((name) => !name.startsWith("."));
  const all = names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(path.join(modules, name)).map((one) => `${name}/${one}`) : [name],
  );
  return all.filter((name) => name !== bundle || existsSync(path.join(modules, name, "plugin.json")));
}

/**
 * A new project with the core, one package beside it, and companions that show it at work. npm installs those
 * that name packages beside the SDK, with what they name; of the others npm would only unpack each, so that
 * is done. `others`: packages that a person installs beside it. What a companion brings cannot stand in for
 * what the package forgot to name: a test of every package.json compares names with imports.
 */
export async function projectWith(
  name: string,
  companions: readonly string[],
  others: readonly string[] = [],
): Promise<string> {
  const base = await coreProject();
  const project = path.join(temporaryFolder("pergola-alone-"), "project");
  linkTree(base, project);
  for (const file of ["package.json", "package-lock.json", "node_modules/.package-lock.json"]) {
    rmSync(path.join(project, file));
    cpSync(path.join(base, file), path.join(project, file));
  }
  const missingIn = (names: readonly string[]): readonly string[] => {
    const there = installedIn(project);
    return names.filter((one) => !there.includes(one));
  };
  const dependent = missingIn([name, ...companions]).filter(needsMore);
  if (dependent.length > 0) await install(project, ["pergola", ...dependent, ...others]);
  const missing = missingIn([...companions, name]);
  for (const one of missing) unpack(one, path.join(project, "node_modules", one));
  mkdirSync(path.join(project, "work"));
  return project;
}

const specifier =
  /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\bimport\.meta\.url\)\(|\.resolve\()\s*["'`]([@\w][\w./@-]*)["'`]/g;

/**
 * The modules of packages that a package's built code cannot do without, wherever it names them: the lazy
 * ones too, which no test may come to need. Those are left out that are its user's choice.
 */
export function modulesNamedBy(project: string, name: string): readonly string[] {
  const dist = path.join(project, "node_modules", name, "dist");
  const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
  const texts = files.map((file) => readFileSync(path.join(dist, file), "utf8"));
  // The build names what it has put in of other packages; their texts may name anything.
  const own = texts.filter((text) => !/^\/\/ \S*node_modules\//m.test(text));
  const named = own.flatMap((text) => [...text.matchAll(specifier)].map(([, one = ""]) => one));
  return [...new Set(named)].filter((one) => !one.startsWith("node:") && !isOptional(name, one));
}
