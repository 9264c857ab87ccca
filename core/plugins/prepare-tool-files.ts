import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf, PluginError } from "@pergola/sdk";
import type { Surroundings } from "@pergola/sdk/host";
import { linkSdk } from "../supply/sdk-link.ts";
import { findToolFiles, namedToolFiles, type ToolFile } from "../settings/tool-files.ts";
import type { FoundPlugin } from "./discover.ts";
import { emptyManifest } from "./manifest.ts";
import { pluginsFolder } from "./plugin-lock.ts";
import { withoutTypes } from "./without-types.ts";

/** The single files that are tools, as plugins. */
export interface FilePlugins {
  readonly plugins: readonly Omit<FoundPlugin, "disabled">[];
  readonly faults: readonly PluginError[];
  readonly warnings: readonly string[];
}

interface PrepareOptions {
  /** Where added plugins are; the files are kept there as they were read. */
  readonly dataDirectory: string;
  /** Only to look: what a service may still use is left alone. */
  readonly inspecting: boolean;
}

const idOf = (name: string): string => `file-${name.replaceAll("_", "-")}`;

/** Where single files are looked for, or the only ones. */
type ToolFilePlaces = Surroundings & { readonly toolFiles?: readonly string[] };

/**
 * Finds the tools in single files and makes a plugin of each, without running any of them. What it asks for
 * and brings is known only once its process was asked.
 */
export async function prepareToolFiles(
  { toolFiles, ...where }: ToolFilePlaces,
  { dataDirectory, inspecting }: PrepareOptions,
): Promise<FilePlugins> {
  const { files, refused, warnings } =
    toolFiles === undefined ? findToolFiles(where) : namedToolFiles(toolFiles);
  const kept = path.join(pluginsFolder(dataDirectory), ".files");
  const first = new Map([...files].reverse().map((file) => [file.name, file]));
  const plugins: Omit<FoundPlugin, "disabled">[] = [];
  const faults: PluginError[] = [];
  const leaveOut = (file: string, message: string, remedy: string): void => {
    const name = path.basename(file, path.extname(file));
    const own = first.get(name.replaceAll("-", "_"))?.path ?? file;
    // What is wrong with a file is no fault of another whose id it would have.
    const id = own === file ? idOf(name) : path.basename(file);
    faults.push(new PluginError(id, "discover", `${file}${message}`, { remedy }));
  };
  for (const { path: file, message, remedy } of refused) leaveOut(file, `: ${message}`, remedy);
  for (const file of files) {
    const twin = first.get(file.name)!;
    try {
      if (twin === file) plugins.push(await prepare(file, kept));
      else
        leaveOut(file.path, `: there is another tool of this name, ${twin.path}`, "Rename one of the two.");
    } catch (error) {
      leaveOut(file.path, `, ${messageOf(error)}`, correct(file));
    }
  }
  if (plugins.length > 0) linkSdk(dataDirectory);
  if (!inspecting) dropOthers(kept, plugins);
  return { plugins, faults, warnings };
}

/** What to do about a file that is no tool. */
export const correct = ({ path: file }: ToolFile): string =>
  `Correct ${path.basename(file)}, or take it out of ${path.dirname(file)}; then start the service again.`;

async function prepare(file: ToolFile, kept: string): Promise<Omit<FoundPlugin, "disabled">> {
  const id = idOf(file.name);
  const folder = path.join(kept, file.name, file.digest.slice(0, 16));
  const entry = path.join(folder, `${file.name}.js`);
  if (!existsSync(entry)) {
    const code = file.path.endsWith(".ts") ? await withoutTypes(file.text) : file.text;
    keep(folder, {
      "package.json": JSON.stringify({ name: id, type: "module" }),
      "plugin.json": JSON.stringify({ id, kind: "tool", sdk: "^1" }),
      [path.basename(entry)]: code,
    });
  }
  return {
    id,
    kind: "tool",
    sdk: "^1",
    package: id,
    version: `0.0.0+${file.digest.slice(0, 8)}`,
    description: "",
    folder: file.path,
    root: folder,
    entry,
    source: "file",
    file,
    tier: "isolated",
    ...emptyManifest,
  };
}

function keep(folder: string, files: Readonly<Record<string, string>>): void {
  const staged = `${folder}.${process.pid}`;
  mkdirSync(staged, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(staged, name), text);
  try {
    renameSync(staged, folder);
  } catch (error) {
    rmSync(staged, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Removes what was kept of files that have changed or are gone. */
function dropOthers(kept: string, plugins: FilePlugins["plugins"]): void {
  if (!existsSync(kept)) return;
  const used = new Set(plugins.map(({ root }) => root));
  const folders = readdirSync(kept).flatMap((name) =>
    readdirSync(path.join(kept, name)).map((each) => path.join(kept, name, each)),
  );
  for (const folder of folders) if (!used.has(folder)) rmSync(folder, { recursive: true, force: true });
}
