import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PluginError } from "@pergola/sdk";
import type { CompleteManifest } from "@pergola/sdk/host";
import { defaultMegabytes } from "./limits.ts";

/** Node's own permissions, the second fence: no writing, no programs, no threads, no native code. */
const permission = ["--permission", "--experimental-permission"].find((name) =>
  process.allowedNodeEnvironmentFlags.has(name),
);

/** The memory and the scratch space of a plugin's process, in megabytes. */
export const megabytesOf = ({ permissions }: CompleteManifest): { memory: number; scratch: number } => ({
  memory: permissions.memoryMegabytes ?? defaultMegabytes.memory,
  scratch: permissions.scratchMegabytes ?? defaultMegabytes.scratch,
});

/** Node's flags for a plugin's process, which may read and write these places, as far as Node enforces it. */
export function nodeFlags(
  found: CompleteManifest,
  places: { readonly read: readonly string[]; readonly write: readonly string[] },
): readonly string[] {
  const flags = [
    `--max-old-space-size=${megabytesOf(found).memory / 2}`,
    "--disable-proto=delete",
    "--no-warnings",
  ];
  if (permission === undefined) return flags;
  return [
    ...flags,
    permission,
    "--no-addons",
    ...places.read.map((place) => `--allow-fs-read=${place}`),
    ...places.write.map((place) => `--allow-fs-write=${place}`),
  ];
}

const program = "isolated.process.js";

/**
 * The folder with the program of a plugin's process, which is always the built one: inside the walls there is
 * no loader for sources. Throws PluginError when it is not built.
 */
export function programFolder(plugin: string): string {
  const here = import.meta.url;
  const folder = fileURLToPath(new URL(here.endsWith(".ts") ? "./dist/" : "./", here));
  if (existsSync(path.join(folder, program))) return folder;
  throw new PluginError(plugin, "import", "the program of isolated plugins is not built", {
    remedy: "Run npm run build.",
  });
}

export const programIn = (folder: string): string => path.join(folder, program);
