import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Log, PluginStatus } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Host, HostOptions } from "../host.ts";
import { loadProblem } from "./load-problem.ts";
import { ownFiles } from "./own-files.ts";
import { permissionProblems } from "./permission-problems.ts";
import type { Problem } from "./problem.ts";
import { schemaProblems } from "./schema-problems.ts";
import { storageProblems } from "./storage-problems.ts";
import { typeProblems } from "./type-problems.ts";

export interface PathCheck extends Pick<HostOptions, "deadlines"> {
  /** They run in this process. */
  readonly trusted?: boolean;
  /** false: errors of types are not looked for, which takes longest. */
  readonly types?: boolean;
  /** The settings file to check them with. Default: none. */
  readonly settings?: string;
  /** The data whose approvals count for other plugins that those settings name. Default: none. */
  readonly data?: string;
  readonly log: Log;
  /** Told of what could not be judged. */
  readonly note: (text: string) => void;
}

/** A plugin, and all that is wrong with it. */
export interface CheckedPlugin extends PluginStatus {
  readonly problems: readonly Problem[];
}

type Scene = PathCheck & { readonly host: Host; readonly scratch: string };

/** The paths of plugins as a host takes them: packages, and single files that are tools. */
export function sortPaths(paths: readonly string[]): {
  readonly folders: readonly string[];
  readonly files: readonly string[];
} {
  const real = paths.map((given) => {
    const full = path.resolve(given);
    if (!existsSync(full)) throw fault("not_found", `There is no ${full}.`);
    return realpathSync(full);
  });
  const isFolder = (each: string): boolean => statSync(each).isDirectory();
  return { folders: real.filter(isFolder), files: real.filter((each) => !isFolder(each)) };
}

/**
 * Loads the plugins at these paths once, with the standard ones and on scratch data, and looks for what a
 * service and its calls would find wrong with them. Other plugins that the settings name run only where they
 * are approved. All plugins come back; those of other paths with their faults alone. Throws AppError
 * `not_found` for a path that there is not.
 */
export async function checkPaths(
  paths: readonly string[],
  options: PathCheck,
): Promise<readonly CheckedPlugin[]> {
  const { folders, files } = sortPaths(paths);
  const { createHost } = await import("../host.ts");
  const scratch = await mkdtemp(path.join(tmpdir(), "pergola-check-"));
  const isolation = options.trusted ? ("trusted" as const) : ("process" as const);
  const entries = folders.map((use) => ({ use, isolation }));
  const standard = path.join(scratch, "settings.json");
  // Its own data: a plugin in a folder may have been added already.
  const alone: HostOptions = { file: standard, data: scratch, unpinned: "all" };
  const { settings: file, data = scratch } = options;
  await writeFile(standard, JSON.stringify({ plugins: ["@pergola/bundle-standard", ...entries] }));
  try {
    const host = await createHost({
      ...(file === undefined ? alone : { file, data, candidates: entries, unpinned: "candidates" }),
      cwd: scratch,
      toolFiles: files,
      inspecting: true,
      log: options.log,
      ...(options.deadlines && { deadlines: options.deadlines }),
    });
    const meant = new Set([...folders, ...files]);
    try {
      const scene = { ...options, host, scratch };
      const checked: CheckedPlugin[] = [];
      // One after the other: each may start a compiler.
      for (const plugin of host.services.system.plugins())
        checked.push({ ...plugin, problems: await problemsOf(plugin, meant, scene) });
      return checked;
    } finally {
      await host.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function problemsOf(
  plugin: PluginStatus,
  meant: ReadonlySet<string>,
  scene: Scene,
): Promise<readonly Problem[]> {
  const { problem, folder, official } = plugin;
  const isFile = meant.has(folder) && statSync(folder).isFile();
  const load = problem === null ? [] : [official ? problem : loadProblem(problem, isFile)];
  if (!meant.has(folder)) return load;
  const { host, types = true, note } = scene;
  const deeper = plugin.state === "running" ? schemaProblems(host.brought, plugin) : [];
  return [
    ...load,
    ...deeper,
    ...(await storagesOf(plugin, scene)),
    ...(plugin.kind === "tool" ? permissionProblems(codeOf(folder, isFile), plugin) : []),
    ...(types && !isFile ? await typeProblems(folder, note) : []),
  ];
}

async function storagesOf(
  { provides, state }: PluginStatus,
  { host, scratch, log, note }: Scene,
): Promise<readonly Problem[]> {
  const types = (provides["storages"] ?? []) as readonly string[];
  const own = host.brought.storages.filter(({ type }) => state === "running" && types.includes(type));
  const scene = { folder: scratch, log, note };
  return (await Promise.all(own.map((storage) => storageProblems(storage, scene)))).flat();
}

/** The texts of what runs: the file itself, or what a package has built. */
function codeOf(folder: string, isFile: boolean): ReadonlyMap<string, string> {
  if (isFile) return new Map([[path.basename(folder), readFileSync(folder, "utf8")]]);
  const own = ownFiles(folder).map((file) => path.relative(folder, file));
  const code = own.filter((name) => /\.m?js$/.test(name) && !name.startsWith(`test${path.sep}`));
  return new Map(code.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
}
