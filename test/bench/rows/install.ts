import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../architecture/tree.ts";
import type { Figure } from "../report.ts";

/** Bytes of a folder, but for the packages in it, which are counted on their own. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(place);
    return sum + lstatSync(place).size;
  }, 0);
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** The packages of others that come with the given ones of this repository: their folders. */
function dependencies(workspaces: readonly string[]): readonly string[] {
  const chosen = workspaces.map((name) => `--workspace=${name}`);
  const { stdout } = spawnSync("npm", ["ls", "--omit=dev", "--all", "--parseable", ...chosen], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  // npm lists what our packages can do without, too, where it is there for development.
  const isOurs = (folder: string): boolean => lstatSync(folder).isSymbolicLink();
  const listed = stdout.split("\n").filter(Boolean);
  return listed.filter((folder) => {
    const locked = lock.packages[path.relative(root, folder)];
    return locked !== undefined && !locked.dev && !locked.devOptional && !isOurs(folder);
  });
}

/** P21: the packages of others that the default installation brings with it. */
export async function installation(): Promise<readonly Figure[]> {
  const folders = dependencies(["core", "plugins/bundle-standard"]);
  const megabytes = folders.reduce((sum, folder) => sum + sizeOf(folder), 0) / 2 ** 20;
  const largest = folders
    .map((folder) => ({
      name: folder.split(`node_modules${path.sep}`).at(-1),
      size: sizeOf(folder) / 2 ** 20,
    }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 3);
  const named = largest.map(({ name, size }) => `${name} ${size.toFixed(0)}`).join(", ");
  const what = "of others' packages in the default installation";
  return [
    {
      id: "P21",
      what: `megabytes ${what}`,
      value: megabytes,
      unit: "MB",
      goal: 120,
      detail: `aim 45; ${named}`,
    },
    { id: "P21", what: `number ${what}`, value: folders.length, unit: "", goal: 110 },
  ];
}
