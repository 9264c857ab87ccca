import { realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { AppError, isBelow, type Caller } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** Where the folders of conversations without one of their own are made. */
export const workspaceBase = ({ preferences, dataDirectory }: Parts): string =>
  preferences.get<string>("workspace.base_path") || path.join(dataDirectory, "workspaces");

/** Where a folder really is; one that does not exist yet, below where it will be. */
async function realOf(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => undefined);
  const above = path.dirname(folder);
  if (real !== undefined || above === folder) return real ?? folder;
  return path.join(await realOf(above), path.basename(folder));
}

async function isBelowOne(roots: readonly string[], folder: string): Promise<boolean> {
  const real = await realOf(folder);
  const reals = await Promise.all(roots.map(realOf));
  return reals.some((root) => isBelow(root, real));
}

const isWithin = async ({ root }: Caller, folder: string): Promise<boolean> =>
  root === null || isBelowOne([root], folder);

/** Throws `invalid_value` for a folder that no conversation may work in. */
export async function checkWorkingDirectory(parts: Parts, folder: string, caller: Caller): Promise<void> {
  const refuse = (why: string): AppError =>
    new AppError({
      code: "invalid_value",
      message: `The working directory ${why}.`,
      param: "working_directory",
    });
  if (!path.isAbsolute(folder) || folder.includes("\0")) throw refuse("must be an absolute path");
  const { dataDirectory, preferences } = parts;
  const full = path.resolve(folder);
  if (full === path.parse(full).root) throw refuse("must not be the root directory");
  if (
    full === dataDirectory ||
    (isBelow(dataDirectory, full) && !isBelow(path.join(dataDirectory, "workspaces"), full))
  )
    throw refuse("must not be the service's data directory");
  const roots = [workspaceBase(parts), ...preferences.get<readonly string[]>("workspace.allowed_roots")].map(
    (root) => root.replace(/^~(?=\/|$)/, homedir()),
  );
  if (caller.remote && !(await isBelowOne(roots, full)))
    throw refuse("must lie below workspace.base_path or workspace.allowed_roots");
  if (!(await isWithin(caller, full))) throw refuse("must lie below the folder of this token");
  const found = await stat(full).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw refuse("is not a directory");
}
