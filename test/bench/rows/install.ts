import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@pergola/sdk/testing";
import { hasRegistry, npmSettings, publishAll, roomOf } from "../../support/global-install.ts";
import { copyCompiled } from "../../support/alone/project.ts";
import type { Figure } from "../report.ts";

/** The folders of all packages below one, those inside of others included. */
function packagesIn(folder: string): readonly string[] {
  const places = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name === "node_modules")
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const below = places.flatMap((place) =>
    readdirSync(place).flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(path.join(place, name)).map((one) => path.join(place, name, one))
        : [path.join(place, name)],
    ),
  );
  return below.filter((one) => existsSync(path.join(one, "package.json")));
}

const nameOf = (folder: string): string => folder.split(`node_modules${path.sep}`).at(-1) ?? "";

/** P21: what `npm install --global pergola` puts on the disk. */
export async function installation(): Promise<readonly Figure[]> {
  if (!hasRegistry()) throw new Error("npm does not reach its registry.");
  const [prefix, home] = [temporaryFolder(), temporaryFolder()];
  const registry = await publishAll();
  try {
    const places = { npm_config_prefix: prefix, npm_config_registry: registry.url };
    const env = { ...process.env, HOME: home, ...npmSettings(path.join(home, "npm")), ...places };
    await promisify(execFile)("npm", ["install", "--global", "pergola"], { cwd: home, env });
  } finally {
    await registry.close();
  }
  copyCompiled(path.join(prefix, "lib", "node_modules", "pergola"));
  const folders = packagesIn(prefix);
  const others = folders.filter((folder) => !/^(@pergola\/|pergola$)/.test(nameOf(folder)));
  const largest = others
    .map((folder) => ({ name: nameOf(folder), size: roomOf(folder) }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 3);
  return [
    {
      id: "P21",
      what: "megabytes that a default installation takes on the disk",
      value: roomOf(prefix),
      unit: "MB",
      goal: 120,
      detail: `aim 45; ${largest.map(({ name, size }) => `${name} ${size.toFixed(0)}`).join(", ")}`,
    },
    {
      id: "P21",
      what: "number of others' packages in it",
      value: others.length,
      unit: "",
      goal: 110,
    },
  ];
}
