import { createRequire } from "node:module";
import path from "node:path";
import type { SandboxMount } from "@pergola/sdk/host";
import {
  dependenciesOf,
  packageFolders,
  packageOf,
  pluginFolder,
  readableFolders,
  realOf,
} from "./readable.ts";

const sdk = "@pergola/sdk";
/** Packages of one plugin; more are not looked for. */
const most = 2000;

/** Where a package lies that a folder can import; undefined when it is not installed. */
const installed = (name: string, from: string): string | undefined =>
  packageFolders(from)
    .map((folder) => realOf(path.join(folder, name)))
    .find((found) => found !== undefined);

/** All packages that a plugin needs, with what they need in turn; the first of a name is the one. */
function packagesOf(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const queue = [folder];
  for (let next = queue.shift(); next !== undefined && found.size < most; next = queue.shift()) {
    for (const name of dependenciesOf(next)) {
      const place = found.has(name) || name === sdk ? undefined : installed(name, next);
      if (place === undefined) continue;
      found.set(name, place);
      queue.push(place);
    }
  }
  return found;
}

/** What a plugin's process sees inside the walls, under names that tell nothing of the computer. */
export interface InnerPlaces {
  readonly mounts: readonly SandboxMount[];
  /** The plugin's entry, as the process calls it. */
  readonly entry: string;
  /** The folder of the process's own program. */
  readonly program: string;
}

/** The same where nothing can be shown at another path: everything lies where it is. */
export function realPlaces(entry: string, program: string): InnerPlaces {
  const real = [
    ...new Set(readableFolders(entry, path.join(program, "any")).map((one) => realOf(one) ?? one)),
  ];
  return {
    mounts: real.map((folder) => ({ from: folder, to: folder })),
    entry: realOf(entry) ?? entry,
    program: realOf(program) ?? program,
  };
}

/** Where the plugin with this entry, its packages and the program of its process are inside the walls. */
export function innerPlaces(entry: string, program: string): InnerPlaces {
  const folder = realOf(pluginFolder(entry)) ?? pluginFolder(entry);
  const own = packageOf(createRequire(import.meta.url).resolve(sdk));
  const packages = [...packagesOf(folder), [sdk, own] as const];
  return {
    mounts: [
      { from: program, to: "/pergola" },
      { from: folder, to: "/plugin" },
      ...packages.map(([name, from]) => ({ from, to: path.posix.join("/node_modules", name) })),
    ],
    entry: path.posix.join("/plugin", path.relative(folder, realOf(entry) ?? entry)),
    program: "/pergola",
  };
}
