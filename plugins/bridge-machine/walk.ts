import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from "node:fs";
import path from "node:path";
import { fileFailure, type CheckedPath } from "@pergola/sdk";
import { systemFailure } from "@pergola/sdk/host";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Linux's O_PATH, which Node does not name, walks through folders that may be entered but not read. */
const walking = 0o10000000 | O_DIRECTORY | O_NOFOLLOW;
type Place = Pick<CheckedPath, "requestedPath" | "real">;

const hasDescriptors = process.platform === "linux" && existsSync("/proc/self/fd");

function stepInto(folder: string, name: string, make: boolean): number {
  const at = `${folder}/${name}`;
  try {
    return openSync(at, walking);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR" && lstatSync(at).isSymbolicLink()) throw systemFailure("ELOOP");
    if (code !== "ENOENT" || !make) throw error;
    mkdirSync(at, { recursive: true });
    return openSync(at, walking);
  }
}

function openByStep(real: string, make: boolean): number {
  let fd = openSync("/", walking);
  for (const name of real.split("/").filter((part) => part !== "")) {
    const parent = fd;
    try {
      fd = stepInto(`/proc/self/fd/${parent}`, name, make);
    } finally {
      closeSync(parent);
    }
  }
  return fd;
}

function checkByName(real: string, make: boolean): string {
  if (make) mkdirSync(real, { recursive: true });
  if (realpathSync.native(real) !== real) throw systemFailure("ELOOP");
  return real;
}

/**
 * Opens the folder at a real path step by step from the root, through no link, and lends `use` a path that
 * means this very folder until `use` is done: what is swapped after the check is refused, and nothing is
 * touched elsewhere. `make` makes missing folders. Without Linux's /proc the path is only compared before and
 * after a file is opened, which leaves microseconds to a program that swaps folders. Failures are told as
 * ToolErrors about `given`.
 */
export async function withDirectory<T>(
  { requestedPath: file, real }: Place,
  use: (folder: string) => T | Promise<T>,
  make = false,
): Promise<T> {
  let fd: number | undefined;
  try {
    if (!hasDescriptors) return await use(checkByName(real, make));
    fd = openByStep(real, make);
    return await use(`/proc/self/fd/${fd}`);
  } catch (error) {
    throw fileFailure(error, file);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Lends the folder of the entry at a real path. */
export const withEntry = <T>(
  { requestedPath: source, real }: Place,
  use: (file: string, folder: string) => T | Promise<T>,
  make = false,
): Promise<T> =>
  withDirectory(
    { requestedPath: source, real: path.dirname(real) },
    (folder) => use(`${folder}/${path.basename(real)}`, folder),
    make,
  );

/**
 * Lends a regular file, open for reading; `opened` is a path of this very file. A link, pipe, socket or
 * device is refused, and not waited for.
 */
export async function withFile<T>(
  file: string,
  use: (fd: number, stats: Stats, opened: string) => Promise<T>,
): Promise<T> {
  const fd = openSync(file, O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!hasDescriptors) checkByName(path.dirname(file), false);
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw systemFailure(stats.isDirectory() ? "EISDIR" : "ENXIO");
    return await use(fd, stats, hasDescriptors ? `/proc/self/fd/${fd}` : file);
  } finally {
    closeSync(fd);
  }
}
