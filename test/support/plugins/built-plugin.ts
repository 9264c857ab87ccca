import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { temporaryFolder } from "@pergola/sdk/testing";

/** A plugin of these tests as its author would publish it: built. Isolated plugins run only what is built. */
export async function builtPlugin(folder: string): Promise<string> {
  const target = path.join(temporaryFolder(), path.basename(folder));
  await build({
    entryPoints: [path.join(folder, "index.ts")],
    outfile: path.join(target, "index.js"),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
  });
  const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
  const text = read("package.json").replace("./index.ts", "./index.js");
  writeFileSync(path.join(target, "package.json"), text);
  writeFileSync(path.join(target, "plugin.json"), read("plugin.json"));
  return target;
}
