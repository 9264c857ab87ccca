import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { fault } from "../fault.ts";

/** Where a plugin is taken from. */
export interface PluginSource {
  readonly kind: "npm" | "git" | "folder" | "file";
  /** What npm is given: `tool-dice@^1`, `git+https://…#commit`, or an absolute path. */
  readonly spec: string;
}

const npmName = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@[\w.^~<>=|*+ -]+)?$/i;
const gitAddress = /^git\+(https|ssh|file):\/\/[^\s]+$/;

/**
 * Reads what a person has named: a package of the registry, a git repository, a folder, or a tarball. Throws
 * AppError for anything else.
 */
export function readSource(text: string, cwd = process.cwd()): PluginSource {
  if (gitAddress.test(text)) return { kind: "git", spec: text };
  const isPath =
    /^(\.{0,2}\/|~\/|\.{1,2}$)/.test(text) || path.isAbsolute(text) || /\.(tgz|tar\.gz)$/.test(text);
  if (isPath) return readPath(path.resolve(cwd, text));
  if (npmName.test(text)) return { kind: "npm", spec: text };
  const forms =
    "a package (tool-dice or tool-dice@^1), git+https://…#commit, a folder (./tool-dice) or a tarball";
  throw fault("invalid_value", `"${text}" names no plugin. Name ${forms}.`);
}

function readPath(full: string): PluginSource {
  if (!existsSync(full)) throw fault("not_found", `There is no ${full}.`);
  return { kind: statSync(full).isDirectory() ? "folder" : "file", spec: full };
}

/** As the lock keeps it. */
export const sourceText = ({ kind, spec }: PluginSource): string =>
  kind === "git" ? spec : `${kind}:${spec}`;

/** The other way round. */
export function sourceOfText(text: string): PluginSource {
  const [, kind, spec = ""] = /^(npm|folder|file):(.*)$/.exec(text) ?? [];
  if (kind === undefined) return { kind: "git", spec: text };
  return { kind: kind as PluginSource["kind"], spec };
}
