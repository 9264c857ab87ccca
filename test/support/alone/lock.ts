import { read } from "../../architecture/tree.ts";
import { manifestOf, packedPackages, tarballOf } from "../packed.ts";

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
}

const { packages } = JSON.parse(read("package-lock.json")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const isWorkspace = (place: string): boolean => place !== "" && !place.includes("node_modules/");

/** Where npm puts our packages in a project of somebody else. */
const homes = Object.entries(packages)
  .filter(([place]) => isWorkspace(place))
  .map(([place, { name = "" }]) => ({ name, from: `${place}/`, to: `node_modules/${name}/` }));

/** What npm would note of one of ours, read off the tarball as npm does. */
function ourEntry(name: string): object {
  const { version, bin, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    manifestOf(name);
  const needs = { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta };
  return { version, resolved: `file:${tarballOf(name)}`, bin, ...needs };
}

/** The dependencies of a project with these packages: ours from their tarballs, others as we have them. */
export const dependenciesOn = (names: readonly string[]): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      packedPackages.has(name) ? `file:${tarballOf(name)}` : packages[`node_modules/${name}`]?.version,
    ]),
  );

/** What `pergola` brings to whoever does not choose among the plugins. */
export const bundle = "@pergola/bundle-standard";

/** How a project leaves the bundle out, by docs/plugins.md: the `overrides` of its package.json. */
export const withoutBundle = { [bundle]: "npm:empty-npm-package@1.0.0" };
const [, empty] = Object.entries(packages).find(([, { name }]) => name === "empty-npm-package") ?? [];

/**
 * A package-lock.json for a project with these packages; without the bundle unless it is one of them. It
 * knows the versions of everything in our own lock file, which are in npm's cache and will be the same
 * tomorrow; what of it is needed npm finds out from the packages, and leaves out the rest.
 */
export function lockFor(names: readonly string[]): object {
  const others = Object.entries(packages).flatMap(([place, entry]): (readonly [string, object])[] => {
    if (entry.link === true || !place.includes("node_modules/")) return [];
    const home = homes.find(({ from }) => place.startsWith(from));
    if (home === undefined) return [[place, entry]];
    return names.includes(home.name) ? [[home.to + place.slice(home.from.length), entry]] : [];
  });
  const ours = names
    .filter((name) => packedPackages.has(name))
    .map((name) => [`node_modules/${name}`, ourEntry(name)] as const);
  const left = names.includes(bundle) ? [] : [[`node_modules/${bundle}`, empty] as const];
  const project = { dependencies: dependenciesOn(names) };
  // npm reads it in order: what lies within another comes after it.
  const inOrder = [...ours, ...left, ...others].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { lockfileVersion: 3, requires: true, packages: { "": project, ...Object.fromEntries(inOrder) } };
}
