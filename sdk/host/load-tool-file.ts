import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";
import type { Permissions } from "../contract/permissions.ts";
import { didYouMean } from "../util/did-you-mean.ts";
import { isObject } from "../util/is-object.ts";
import { importFile } from "./import-file.ts";
import type { HostPlugin } from "./host-plugin.ts";
import { exportFaults } from "./load-plugin.ts";

/** The plugin that a file with one tool stands for, and what it asks for, unchecked. */
export interface LoadedToolFile extends HostPlugin {
  readonly permissions?: Permissions;
}

type Fields = Readonly<Record<string, unknown>>;

const ofFile = ["description", "permissions", "collections", "icon", "operations"];
const ofOperation = [
  "effect",
  "effects",
  "place",
  "parameters",
  "required",
  "additional",
  "recovery",
  "reconcile",
  "touches",
  "display",
  "examples",
  "keepWhole",
  "timeoutSeconds",
  "run",
];
const form = "export default { description, effect, parameters, run }";

function formFaults(file: unknown): readonly string[] {
  if (!isObject(file)) return [`it has no default export; a tool is ${form}`];
  const several = file["operations"] !== undefined;
  const allowed = several ? ofFile : [...ofFile, ...ofOperation];
  const needed = several ? ["description"] : ["description", "effect", "run"];
  return [
    ...Object.keys(file)
      .filter((field) => !allowed.includes(field))
      .map((field) => `it has a field "${field}" that nobody reads.${didYouMean(field, allowed)}`),
    ...needed.filter((field) => file[field] === undefined).map((field) => `it has no "${field}"`),
  ];
}

/** Without operations of its own the tool has one, `run`, which its fields are about. */
function operationsOf({ operations, description, ...fields }: Fields): unknown {
  if (operations !== undefined) return operations;
  const own = Object.fromEntries(Object.entries(fields).filter(([field]) => ofOperation.includes(field)));
  return [{ parameters: {}, required: [], ...own, name: "run", description }];
}

function pluginOf(name: string, file: unknown): LoadedToolFile {
  const faults = formFaults(file);
  if (faults.length > 0) throw new Error(faults.join("; "));
  const { description, icon, permissions, collections, ...fields } = file as Fields;
  const operations = operationsOf({ ...fields, description });
  const plugin = {
    tools: [{ name, description, operations, ...(icon !== undefined && { icon }) }],
    ...(collections !== undefined && { collections }),
  };
  const deeper = exportFaults(plugin);
  if (deeper.length > 0) throw new Error(deeper.join("; "));
  return { ...plugin, ...(permissions !== undefined && { permissions }) } as LoadedToolFile;
}

/** The line of a file that an error came from. */
function lineIn(file: string, { stack = "" }: Error): string | undefined {
  const lines = stack.split("\n").filter((line) => line.includes(pathToFileURL(file).href));
  return /:(\d+)(?::\d+)?\)?$/.exec(lines[0] ?? "")?.[1];
}

/** Where the export begins, for faults of what it says. */
function exportLine(file: string): number {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.findIndex((line) => /^\s*export\b.*\bdefault\b/.test(line)) + 1;
}

const placed = (line: string | number | undefined, { message }: Error): Error =>
  new Error(line === undefined || line === 0 ? message : `line ${line}: ${message}`);

/**
 * Imports a file that is a tool, named as the file, into this process. Throws, with the line where it is
 * known, when it is none.
 */
export async function loadToolFile(entry: string): Promise<LoadedToolFile> {
  const imported = importFile(entry) as Promise<{ readonly default?: unknown }>;
  const { default: file } = await imported.catch((thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    throw placed(lineIn(entry, error), error);
  });
  try {
    return pluginOf(path.basename(entry, path.extname(entry)), file);
  } catch (error) {
    throw placed(exportLine(entry), error as Error);
  }
}
