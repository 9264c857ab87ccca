import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { AppError, isBelow, type Caller } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** Where the folders of conversations without one of their own are made. */
export const workspaceBase = ({ preferences, dataDirectory }: Parts): string =>
  preferences.get<string>("workspace.base_path") || path.join(dataDirectory, "workspaces");

/** Throws `invalid_value` for a folder that no conversation may work in. */
export async function checkWorkingDirectory(parts: Parts, folder: string, { remote }: Caller): Promise<void> {
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
  if (remote && !roots.some((root) => isBelow(root, full)))
    throw refuse("must lie below workspace.base_path or workspace.allowed_roots");
  const found = await stat(full).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw refuse("is not a directory");
}
